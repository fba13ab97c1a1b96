#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 mem=2048 timeout=1500 level=all heavy=1
#
# Every tracepoint of the kernel at once, under load, for a minute: what was entered is what was
# written, filtered and lost, the file has what was written, the kernel prints nothing, and the module
# unloads; then the same with kill -9 while all are armed.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit
seconds=60
[ "$RT_LEVEL" != default ] || seconds=10

# Files, pipes, processes, memory, timers.
load() {
	while :; do
		cat /proc/self/maps /proc/*/stat /proc/*/cmdline
		dd if=/dev/zero of=/tmp/block bs=4k count=200
		ls -lR /sys/kernel/mm | sort | wc
		usleep 1000
	done >/dev/null 2>&1
}

dmesg -c >/dev/null
load & one=$!
load & two=$!
said=$(ringtail record -a -e '*:*' --duration ${seconds}s -o /tmp/all.data 2>&1)
is $? 0 "every tracepoint for $seconds s under load" || diag "$(printf '%s\n' "$said" | tail -n 5)"
closing=$(printf '%s\n' "$said" | grep '^\[ ringtail: .* events written')
diag "$closing"
printf '%s\n' "$said" | grep -E '^  (lost|not |[0-9]* more)|left out' | while read -r line; do diag "$line"; done
like "$said" 'through perf_events' "some of them through perf_events"
# The last line of record says so if entered is not written + filtered + lost, for any event.
unlike "$said" 'do not add up' "the counts of every event add up"
written=$(printf '%s\n' "$closing" | sed 's/^\[ ringtail: \([0-9]*\) events written.*/\1/')
ok "there are many ($written)" test "$written" -gt 10000
ringtail evlist -i /tmp/all.data 2>/dev/null >/tmp/names
(cd $TRACING/events && find . -mindepth 3 -maxdepth 3 -name id) | awk -F / '{ print $2 ":" $3 }' >/tmp/there
there=$(wc -l </tmp/there)
events=$(grep -cxFf /tmp/there /tmp/names)
diag "$events events of $there that tracefs has, without $(grep -vxFf /tmp/names /tmp/there | head -n 30 | tr '\n' ' ')"
# tracefs also has those of ftrace itself, which nobody can sample.
ok "nearly all that there are" test "$events" -gt $((there * 9 / 10))
is "$(ringtail report --stats -i /tmp/all.data 2>/dev/null | awk '$1 == "SAMPLE" && !n++ { print $3 }')" "$written" \
	"the file has as many as were written"
rm /tmp/all.data

arm '*:*'
ok "they are armed again" test -s /tmp/armed
kill_agent
is "$(cat $TRACING/events/sched/sched_switch/enable)" 0 "after kill -9 tracefs has nothing enabled"
kill $one $two
wait $one $two 2>/dev/null
# Enabling sched:sched_stat_* makes the kernel say once that they need schedstats.
is "$(dmesg | grep -v 'Scheduler tracepoints stat_sleep')" "" "the kernel has printed nothing else"
ok "ringtail unloads" rmmod ringtail
done_testing
