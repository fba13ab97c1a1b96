#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# guest.sh - the part of scripts/demo that runs inside the guest, as root.

case $(uname -m) in
aarch64) path=%x1 ;;
x86_64) path=%si ;;
esac

show() {
	printf '\n# '
	for word; do
		case $word in
		*[\ \(\$]*) printf "'%s' " "$word" ;;
		*) printf '%s ' "$word" ;;
		esac
	done
	echo
	"$@" 2>&1
}

cd /results || exit
show uname -r || exit
show insmod /rt/ringtail.ko || exit
show ringtail doctor || exit
ringtail doctor --json >doctor.json || exit

# Which files does a program open?  A kprobe with a string, written by ringtail, read by perf.
show ringtail record -e "kprobe:do_sys_openat2 path=+0($path):ustring" -o open.data -- cat /etc/passwd || exit
show perf script -i open.data || exit

# Who ran, and from where did it give the CPU away?
show ringtail record -e sched:sched_switch -g -a -o sched.data -- sleep 1 || exit
echo
echo '# perf script -i sched.data | head -n 12'
perf script -i sched.data | head -n 12
echo
echo '# perf report -i sched.data --stdio --no-children -g none | head -n 20'
perf report -i sched.data --stdio --no-children -g none 2>/dev/null | head -n 20
show perf evlist -v -i sched.data || exit

# Who writes to this variable, and what?  A module plays the culprit.
insmod /rt/modules/rt_watch_play.ko || exit
word=$(sed -n 's/^word //p' /proc/rt_watch_play)
show ringtail record -e "mem:$word/8:w" -o watch.data -- sh -c 'echo plain 3 >/proc/rt_watch_play' || exit
show ringtail script -i watch.data || exit
show ringtail report --stdio -q -i watch.data || exit
rmmod rt_watch_play

show cat /sys/kernel/debug/kprobes/list
show rmmod ringtail
