#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# check: level=all
#
# ringtail flight start --boot on a machine whose init is systemd: a guest with this host's systemd, what `make install` leaves, and the module
# where modprobe finds it.  The unit starts the flights of the directory and of the kernel's command line before sysinit.target; flight start --boot
# and stop --boot enable and forget; stopping the unit ends no flight.  RT_KERNEL names another kernel.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. scripts/lab/arch.sh

[ -x /usr/lib/systemd/systemd ] || { skip "a guest with systemd" "systemd is not installed here"; done_testing; exit; }
kernel=${RT_KERNEL:-newest-$HOST_ARCH}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

libraries() { # FILE
	local library
	ldd "$1" | grep -o '/[^ ]*' | while read -r library; do
		[ -e "$root$library" ] || install -D "$(realpath "$library")" "$root$library"
	done
}

make_root() {
	local release=$1 name
	mkdir -p "$root"/{usr/{bin,lib,sbin},etc/systemd/system,etc/ringtail/flight.d,dev,proc,sys,run,tmp,var,root}
	for name in bin lib sbin; do ln -s usr/$name "$root/$name"; done
	[ ! -e /lib64 ] || { mkdir -p "$root/usr/lib64"; ln -s usr/lib64 "$root/lib64"; }
	make -s install-user DESTDIR="$root" PREFIX=/usr >"$work/log" 2>&1 || return
	libraries "$root/usr/bin/ringtail"
	for name in lib/systemd/systemd bin/systemctl bin/kmod bin/bash bin/cat bin/ls bin/uname bin/mount; do
		install -D "/usr/$name" "$root/usr/$name"
		libraries "/usr/$name"
	done
	ln -sf kmod "$root/usr/bin/modprobe"
	ln -sf ../bin/kmod "$root/usr/sbin/modprobe"
	ln -sf bash "$root/usr/bin/sh"
	ln -s usr/lib/systemd/systemd "$root/init"
	cp -d /usr/lib/systemd/system/*.{target,slice} /usr/lib/systemd/system/sys-kernel-{tracing,debug}.mount "$root/usr/lib/systemd/system/"
	install -D "build/vm/$kernel/ringtail.ko" "$root/usr/lib/modules/$release/extra/ringtail.ko"
	depmod -b "$root" "$release" 2>>"$work/log"
	echo 'root:x:0:0:root:/root:/bin/sh' >"$root/etc/passwd"
	echo 'root:x:0:' >"$root/etc/group"
	echo 'ID=guest' >"$root/etc/os-release"
	printf '%s\n' --size 256K -e sched:sched_process_exec >"$root/etc/ringtail/flight.d/black-box"
	cat >"$root/etc/systemd/system/report.service" <<'END'
[Unit]
After=ringtail-flight.service
[Service]
Type=oneshot
ExecStart=/report
StandardOutput=tty
StandardError=inherit
TTYPath=/dev/console
[Install]
WantedBy=multi-user.target
END
	cat >"$root/report" <<'END'
#!/bin/sh
fact() { while read -r line; do echo "fact $1 $line"; done; }
when() { systemctl show -p ActiveEnterTimestampMonotonic --value "$1"; }
uname -r | fact kernel
cat /proc/1/comm | fact init
systemctl show -p ActiveState -p SubState -p Result ringtail-flight | fact unit
[ "$(when ringtail-flight)" -gt 0 ] && [ "$(when ringtail-flight)" -le "$(when sysinit.target)" ] && echo fact early
ringtail flight status 2>&1 | fact status
systemctl disable ringtail-flight 2>&1 | fact disable
ringtail flight start second --boot --size 256K -e sched:sched_process_exit 2>&1 | fact start
systemctl is-enabled ringtail-flight | fact enabled
ls /etc/ringtail/flight.d | fact files
systemctl stop ringtail-flight
ringtail flight status 2>&1 | fact stopped
systemctl start ringtail-flight
systemctl show -p Result --value ringtail-flight | fact again
ringtail flight snapshot black-box -o /tmp/x.data 2>&1 | fact snapshot
ringtail flight stop second --boot 2>&1 | fact end
ls /etc/ringtail/flight.d | fact left
echo fact over
systemctl poweroff --force --force
END
	chmod 755 "$root/report"
	for name in ringtail-flight report; do systemctl --root="$root" enable $name >>"$work/log" 2>&1 || return; done
	ln -sf /usr/lib/systemd/system/multi-user.target "$root/etc/systemd/system/default.target"
	(cd "$root" && find . -mindepth 1 -print0 | cpio --null -o -H newc -R 0:0 --quiet) >"$work/initrd"
}

fetched=$(scripts/vm fetch "$kernel") || exit
read -r _ release _ prefix <<<"$fetched"
scripts/vm build "$kernel" >/dev/null || exit
ok "a root with systemd" make_root "$release" || { diag "$(tail -n 5 "$work/log")"; done_testing; exit; }
timeout --kill-after=5 900 "$(arch_fact "$HOST_ARCH" qemu)" -nodefaults -no-user-config -display none -no-reboot -machine "$(arch_fact "$HOST_ARCH" machine)" \
	-accel "$(arch_fact "$HOST_ARCH" accel)" -cpu "$(arch_fact "$HOST_ARCH" cpu)" -smp 2 -m 1024 -kernel "$prefix/vmlinuz" -initrd "$work/initrd" \
	-serial "file:$work/console" -append "console=$(arch_fact "$HOST_ARCH" console) loglevel=4 panic=-1 $(arch_fact "$HOST_ARCH" append) systemd.show_status=0 \
	ringtail.flight=sched:sched_process_fork,size=256K" >"$work/qemu" 2>&1
facts() { sed -n "s/\r$//; s/^fact $1 //p" "$work/console"; }
ok "it boots and ends" grep -q '^fact over' "$work/console" || diag "$(tail -n 15 "$work/qemu" "$work/console")"
is "$(facts init)" systemd "its init is systemd"
is "$(facts unit | sort | paste -s -d ' ')" 'ActiveState=active Result=success SubState=exited' "the unit has run"
ok "before sysinit.target" grep -q '^fact early' "$work/console"
is "$(facts status | sed -n 's/^\([a-z-]*\): recording since .*/\1/p' | sort | paste -s -d ' ')" 'black-box boot' "the flights of the directory and of the command line run" ||
	diag "$(facts status)"
like "$(facts start)" "flight 'second' records 1 event" "flight start --boot" || diag "$(facts start)"
is "$(facts enabled)" enabled "it enables the unit"
is "$(facts files | paste -s -d ' ')" 'black-box second' "its file is beside the other"
is "$(facts stopped | grep -c ': recording since')" 3 "stopping the unit ends no flight"
is "$(facts again)" success "starting it again leaves those alone that run"
like "$(facts snapshot)" 'written to /tmp/x.data: [1-9][0-9]* samples' "the flight has what happened since the boot"
like "$(facts end)" "flight 'second' does not start at boot any more" "flight stop --boot"
is "$(facts left)" black-box "takes its file away"
done_testing
