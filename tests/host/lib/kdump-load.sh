#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kdump-load.sh - in a guest that was booted with crashkernel=: load the kernel /share/vmlinuz for the time after a panic, with an
# initramfs of files of this guest.  It boots like any guest of the lab, and runs kdump-capture.sh.

new=/tmp/capture
mkdir -p $new/rt/run $new/rt/tests $new/usr/bin $new/usr/lib $new/usr/lib64 $new/dev $new/proc $new/sys $new/tmp $new/run $new/etc $new/root $new/share $new/results
for link in bin sbin lib lib64; do cp -a /$link $new/; done

# Without perf, bash and what only they need.
libraries() { for loader in /usr/lib/ld-linux-* /usr/lib64/ld-linux-*; do $loader --list "$1" 2>/dev/null; done | grep -o '/[^ ]*\.so[^ ]*'; }
{
	find /usr/bin /usr/sbin -type l
	echo /usr/bin/busybox
	find /usr/bin/makedumpfile /rt/packaged/makedumpfile /rt/drivers /rt/bin/ringtail
	libraries /rt/bin/ringtail
} | sort -u >/tmp/list
while read -r file; do
	mkdir -p "$new${file%/*}"
	cp -a "$file" "$new$file"
done </tmp/list
# The loader, by the name that is in the program.
for file in /usr/lib/ld-linux-* /usr/lib64/ld-linux-*; do
	[ ! -e "$file" ] || { mkdir -p "$new${file%/*}"; cp -L "$file" "$new$file"; }
done
cp /init $new/init
cp /rt/tests/host/lib/kdump-capture.sh $new/rt/run/command
cp /rt/run/settings $new/rt/run/settings
(cd $new && find . | cpio -o -H newc 2>/dev/null) >/tmp/capture.img || exit
rm -rf $new

line=$(sed 's/crashkernel=[^ ]*//' /proc/cmdline)
kexec -p /share/vmlinuz --initrd=/tmp/capture.img --append="$line nr_cpus=1 reset_devices" || exit
rm -f /tmp/capture.img
[ "$(cat /sys/kernel/kexec_crash_loaded)" = 1 ]
