#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=420
#
# However a recording ends, nothing stays behind: agents killed with everything armed,
# the probed module unloaded in the middle, CPUs that go and come.

. ./lib/tap.sh

kprobes=/sys/kernel/debug/kprobes/list
kills=20
[ "$RT_LEVEL" = default ] || kills=200

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

probes_left() { wc -l <$kprobes; }

is "$(probes_left)" 0 "nothing is probed at first"
everything='-e kprobe:rt_play:rt_play_number -e kretprobe:rt_play:rt_play_number
	-e kprobe:do_sys_openat2 -e sched:sched_switch -e raw_syscalls:sys_enter -g -a'

i=0 bad=0
while [ $i -lt $kills ]; do
	# shellcheck disable=SC2086 # words are meant
	ringtail record $everything -q -o /tmp/killed.data &
	agent=$!
	# From "not even open" to "long under way".
	usleep $((i * 37 % 20 * 50000))
	kill -9 $agent
	wait $agent 2>/dev/null
	[ "$(probes_left)" = 0 ] || bad=$((bad + 1))
	i=$((i + 1))
done
is $bad 0 "after each of $kills kills no probe is left"
is "$(cut -d ' ' -f 3 /proc/modules | head -n 1)" 0 "nor a reference to the module"

# shellcheck disable=SC2086
ringtail record $everything -o /tmp/unload.data 2>/tmp/said &
agent=$!
sleep 3
like "$(cat $kprobes)" 'rt_play_number' "the probe is there while recording"
ok "the probed module unloads in the middle" rmmod rt_play
ok "and comes back" insmod /rt/modules/rt_play.ko
echo number 50 >/proc/rt_play
sleep 1
kill -INT $agent
wait $agent
is $? 0 "the recording ends well"
perf script -i /tmp/unload.data >/tmp/lines 2>/tmp/warnings
is "$(grep -c 'probe:rt_play_number: ' /tmp/lines)" 50 "what happened after it came back is recorded"
like "$(cat /tmp/said)" ' 0 lost' "nothing was lost"
is "$(probes_left)" 0 "no probe is left"

if [ -w /sys/devices/system/cpu/cpu1/online ]; then
	ringtail record -e sched:sched_switch -e kprobe:rt_play:rt_play_number -a -o /tmp/hotplug.data 2>/tmp/said &
	agent=$!
	sleep 2
	for _ in 1 2 3; do
		echo 0 >/sys/devices/system/cpu/cpu1/online
		echo number 10 >/proc/rt_play
		echo 1 >/sys/devices/system/cpu/cpu1/online
		taskset 2 sh -c 'echo number 10 >/proc/rt_play'
	done
	sleep 1
	kill -INT $agent
	wait $agent
	is $? 0 "CPUs may go and come while recording"
	perf script -i /tmp/hotplug.data -F event,cpu >/tmp/lines 2>/tmp/warnings
	is "$(grep -c rt_play_number /tmp/lines)" 60 "all that they did is there"
else
	skip "CPUs may go and come while recording" "this kernel cannot take CPUs offline"
fi

ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
