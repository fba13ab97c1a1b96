#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=200 default="@(newest-*|6.1-*)"
#
# What a process may do with a descriptor that was passed on to it: every call of the module is made with and
# without the rights, and compared with the table in docs/abi.md.  Nobody's mount namespace can keep the module,
# or those who load modules, waiting.

. ./lib/tap.sh
. ./lib/module.sh

insmod $MODULE || exit 1

# --- the table ------------------------------------------------------------------------

# Names of the header, whose long lines go on after a backslash.
sed -e :a -e '/\\$/N; s/\\\n//; ta' /rt/include/uapi/ringtail.h |
	sed -n 's/^#define \(RT_IOC_[A-Z]*\)[[:space:]]*_IO(RT_IOC_MAGIC, \(0x[0-9a-f]*\)).*/\2 \1/p' | sort >/tmp/numbers
# NAME RIGHTS LOCKED-DOWN, as the documentation has them.
sed -n 's/^| `\(RT_IOC_[A-Z]*\)` | \(caller\|descriptor\) | \(refused\|works\|by kind\) | .* | .* |$/\1 \2 \3/p' \
	/rt/docs/abi.md | sort >/tmp/table
named() { while read -r number rest; do echo "$(sed -n "s/^$number //p" /tmp/numbers) $rest"; done | sort; }

call-rights >/tmp/said
is $? 0 "every call is made"
grep ^0x /tmp/said | named >/tmp/made
is "$(cut -d ' ' -f 1 /tmp/made)" "$(cut -d ' ' -f 2 /tmp/numbers | sort)" "the module has the calls of the header"
is "$(cut -d ' ' -f 1 /tmp/table)" "$(cut -d ' ' -f 1 /tmp/made)" "and the table has them all"
while read -r name root user; do
	rights=$(sed -n "s/^$name \([a-z]*\) .*/\1/p" /tmp/table)
	is "$root" allowed "$name: root may"
	case $rights in
	caller) is "$user" refused "$name: who has nothing but the descriptor may not" ;;
	*) is "$user" allowed "$name: the descriptor is enough" ;;
	esac
done </tmp/made
is "$(tail -n 1 /tmp/said)" goes-on "whatever they tried, the session that was passed on records"

# --- namespaces -----------------------------------------------------------------------

# Where the build-ids of modules are read, this mount namespace has a FIFO that nobody writes to.
cat >/tmp/hide <<'END'
mount --make-rprivate / 2>/dev/null
mount -t tmpfs tmpfs /sys/module && mkdir -p /sys/module/rt_play/notes && mkfifo /sys/module/rt_play/notes/.note.gnu.build-id || exit 3
exec "$@"
END
# within SECONDS COMMAND…: its output and status; 124 if it does not end.  Nothing waits for one that cannot be killed.
within() {
	seconds=$1
	shift
	rm -f /tmp/within
	("$@" >/tmp/output 2>&1; echo $? >/tmp/within) &
	while [ ! -s /tmp/within ] && [ "$seconds" -gt 0 ]; do
		sleep 1
		seconds=$((seconds - 1))
	done
	cat /tmp/output
	[ -s /tmp/within ] && return "$(cat /tmp/within)"
	return 124
}

build_id() { od -An -v -tx1 "/sys/module/$1/notes/.note.gnu.build-id" 2>/dev/null | tr -d ' \n' | tail -c 40; }

exec 5<>/dev/ringtail
if as-user 1000 unshare -U -m -r true 2>/dev/null; then
	insmod /rt/modules/rt_play.ko
	said=$(within 30 as-user 1000 unshare -U -m -r sh /tmp/hide set-up-rings 5)
	is "$?: $said" "1: EPERM" "a user with the descriptor, and a FIFO in the place of a build-id: RINGS is refused"
	within 30 rmmod rt_play
	is $? 0 "and modules can be unloaded"
else
	skip "a user with the descriptor, and a FIFO in the place of a build-id" "users have no namespaces here"
fi
insmod /rt/modules/rt_play.ko 2>/dev/null
wanted=$(build_id rt_play)
wanted=${wanted:-none}
said=$(within 60 unshare -m sh /tmp/hide set-up-rings 5 rt_play)
is "$said" "ok
$wanted" "root with such a FIFO: RINGS works, and the build-id of the module is that of sysfs"
rmmod rt_play
within 60 unshare -m sh /tmp/hide insmod /rt/modules/rt_play.ko
is $? 0 "root loads a module where such a FIFO is"
wanted=$(build_id rt_play)
wanted=${wanted:-none}
is "$(within 60 set-up-rings 5 rt_play)" "ok
$wanted" "and the session has the build-id of that one, too"
exec 5>&-
rmmod rt_play

# --- locks ----------------------------------------------------------------------------

# Half of the guest's memory: making it takes long enough for others to come and go.
echo 70 >/sys/module/ringtail/parameters/memory_percent
said=$(close-beside $(($(sed -n 's/MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo) / 1024 / 2 / $(nproc))))
diag "$said"
during=$(echo "$said" | sed -n 's/^during //p')
ok "while one session makes large rings, others begin and end" test "${during:-0}" -ge 2
# CPUs come and go meanwhile: every CPU that is online has its rings afterwards, and no memory stays charged.
if [ -w /sys/devices/system/cpu/cpu1/online ]; then
	(while [ ! -e /tmp/enough ]; do
		echo 0 >/sys/devices/system/cpu/cpu1/online
		echo 1 >/sys/devices/system/cpu/cpu1/online
	done) &
	for i in 1 2 3 4 5 6; do
		close-beside 32 >/dev/null || echo "attempt $i"
	done >/tmp/failures 2>&1
	: >/tmp/enough
	wait $!
	is "$(cat /tmp/failures)" "" "rings are made while CPUs come and go"
fi
like "$(ringtail doctor)" 'ok +memory +0 of at most 64 sessions have 0 MB' "and nothing stays charged"

ok "unloads" rmmod ringtail
done_testing
