#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="*" smp=2 timeout=1500 default="6.1-*"
#
# However a recording ends, nothing stays armed: agents killed with everything armed, the probed
# module unloaded in the middle, CPUs that go offline and online.

. ./lib/tap.sh
. ./lib/watch.sh
. ./lib/opens.sh

kprobes=/sys/kernel/debug/kprobes/list
kills=20
[ "$RT_LEVEL" = default ] || kills=200

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit
insmod /rt/modules/rt_watch_play.ko || exit

probes_left() { wc -l <$kprobes; }

is "$(probes_left)" 0 "nothing is probed at first"
several="-e kprobe:rt_play:rt_play_number -e kretprobe:rt_play:rt_play_number
	-e kprobe:$OPENS -e sched:sched_switch -e raw_syscalls:sys_enter -g -a"
everything="$several -e syscalls:sys_exit_* -e mem:$(address word)/8:w -e cpu-clock"

# Work that makes hits while agents are killed.
while :; do
	echo number 20 >/proc/rt_play
	poke plain 20
done &
work=$!

i=0 bad=0
while [ $i -lt $kills ]; do
	# shellcheck disable=SC2086 # words are meant
	ringtail record $everything -q -o /tmp/killed.data &
	agent=$!
	# Kill it from before it opens the device on; every other one when all is armed, or soon after.
	[ $((i % 2)) = 0 ] || while [ "$(probes_left)" = 0 ] && kill -0 $agent; do :; done
	usleep $((i * 37 % 20 * 20000))
	kill -9 $agent
	wait $agent 2>/dev/null
	[ "$(probes_left)" = 0 ] || bad=$((bad + 1))
	i=$((i + 1))
done
is $bad 0 "after each of $kills kills no probe is left"
kill $work
wait $work 2>/dev/null
is "$(awk '$1 == "ringtail" { print $3 }' /proc/modules)" 0 "nor a reference to the module"
# shellcheck disable=SC2086
ok "all of it can be had again" ringtail record $everything -q -o /tmp/again.data -- true

# Record with -a and start a command: when it runs, everything is armed.
# shellcheck disable=SC2086
ringtail record $several -o /tmp/unload.data -- sh -e -c "
	cat $kprobes >/tmp/while
	rmmod rt_play
	insmod /rt/modules/rt_play.ko
	echo number 50 >/proc/rt_play" 2>/tmp/said
is $? 0 "the probed module unloads in the middle and comes back"
like "$(cat /tmp/while)" 'rt_play_number' "the probe was there while recording"
perf_events -i /tmp/unload.data >/tmp/lines 2>/tmp/warnings
is "$(grep -c 'probe:rt_play_number: ' /tmp/lines)" 50 "what happened after it came back is recorded"
like "$(cat /tmp/said)" ' 0 lost' "nothing was lost"
is "$(probes_left)" 0 "no probe is left"

if [ -w /sys/devices/system/cpu/cpu1/online ]; then
	ringtail record -e sched:sched_switch -e kprobe:rt_play:rt_play_number -a -o /tmp/hotplug.data -- sh -e -c '
		for _ in 1 2 3; do
			echo 0 >/sys/devices/system/cpu/cpu1/online
			echo number 10 >/proc/rt_play
			echo 1 >/sys/devices/system/cpu/cpu1/online
			# Older kernels let tasks run on a new CPU only some time later.
			until taskset 2 true 2>/dev/null; do usleep 20000; done
			taskset 2 sh -c "echo number 10 >/proc/rt_play"
		done' 2>/tmp/said
	is $? 0 "CPUs may go and come while recording"
	perf_events -i /tmp/hotplug.data -F event,cpu >/tmp/lines 2>/tmp/warnings
	is "$(grep -c rt_play_number /tmp/lines)" 60 "all that they did is there"
else
	skip "CPUs may go and come while recording" "this kernel cannot take CPUs offline"
fi

ok "rt_play unloads" rmmod rt_play
ok "rt_watch_play unloads" rmmod rt_watch_play
ok "ringtail unloads" rmmod ringtail
done_testing
