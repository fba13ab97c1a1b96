#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Which of KCSAN's reports are ours: a module's function, or one that it called, makes one of
# the two accesses.  The others are left out of the log before it is judged.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. scripts/lab/verdict.sh

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# race NAME FRAMES FRAMES: a report of two accesses, frames separated by blanks, "f@m" is in module m.
race() { race_text "$@" | sed 's/^/[   12.345678] /; s/$/\r/'; }
race_text() {
	echo "=================================================================="
	echo "BUG: KCSAN: data-race in $1"
	echo
	for frames in "$2" "$3"; do
		echo "write to 0xffff888012345678 of 8 bytes by task 77 on cpu 0:"
		for f in $frames; do
			case $f in
			0x*) echo " $f" ;;
			*@*) echo " ${f%@*}+0x12/0x40 [${f#*@}]" ;;
			*) echo " $f+0x12/0x40" ;;
			esac
		done
		echo
	done
	echo "Reported by Kernel Concurrency Sanitizer on:"
	echo "CPU: 0 PID: 77 Comm: test Tainted: G           OE"
	echo "=================================================================="
}

found() { # MADE…: what is left of what these commands print
	"$@" >"$log"
	verdict_clean "$log" >"$log.clean"
	verdict_find "$log.clean" "" | cut -d '|' -f 1
	rm -f "$log.clean"
}
count() { verdict_clean "$log" | grep -c 'BUG: KCSAN'; }

is "$(found race ours 'rt_write@ringtail ksys_write' 'vfs_read ksys_read')" kcsan "a module's function and the kernel's"
is "$(found race ours 'vfs_read ksys_read' 'rt_write@ringtail ksys_write')" kcsan "the other way round"
is "$(found race ours 'memcpy rt_write@ringtail' 'vfs_read ksys_read')" kcsan "a function that the module called"
is "$(found race theirs 'hrtimer_active start_timer rt_start@ringtail' 'hrtimer_run interrupt')" "" \
	"the kernel's own business, with the module further out"
is "$(found race theirs 'kprobe_handler 0xffffffffc000e0c8 trap_here@ringtail' 'kprobe_handler kernel')" "" \
	"the kernel's business with a probe that the module hit"
is "$(found race theirs 'vfs_read ksys_read' 'vfs_write ksys_write')" "" "the kernel's alone"

several() {
	race theirs 'vfs_read ksys_read' 'vfs_write ksys_write'
	race ours 'rt_write@ringtail ksys_write' 'vfs_read ksys_read'
	race theirs 'vfs_read ksys_read' 'vfs_write x y z rt_far@ringtail'
}
is "$(found several)" kcsan "one among others is found"
is "$(count)" 1 "and the others are left out"

beside() {
	race theirs 'vfs_read ksys_read' 'vfs_write ksys_write'
	printf '[   13.000000] WARNING: CPU: 0 PID: 1 at kernel/x.c:1 x+0x1/0x2\r\n'
}
is "$(found beside)" warn "what comes after a report that is left out still counts"
broken() { race theirs 'vfs_read ksys_read' 'vfs_write ksys_write' | head -n 4; beside; }
is "$(found broken)" warn "also after one that was broken off"

done_testing
