#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="*" smp=2 timeout=900 level=all
#
# However sampling ends, no counter is left; CPUs that go offline and come back are sampled.

. ./lib/tap.sh
. ./lib/sample.sh

kills=10
[ "$RT_LEVEL" = default ] || kills=100
ours=/tmp/ours.data
everything='-e cpu-clock -e page-faults/period=1/ -e context-switches/period=1/ -e cycles -F 999 -a'

insmod /rt/ringtail.ko || exit
rt_work children 100 1000000 &
work=$!

i=0
while [ $i -lt $kills ]; do
	graph=fp
	[ $((i % 2)) = 0 ] || graph=dwarf
	# shellcheck disable=SC2086 # words are meant
	ringtail record $everything --call-graph $graph -q -o /tmp/killed.data 2>/dev/null &
	agent=$!
	# Kill it at moments from before it opens the device until long after.
	usleep $((i * 37 % 20 * 50000))
	kill -9 $agent
	wait $agent 2>/dev/null
	i=$((i + 1))
done
is "$(cut -d ' ' -f 3 /proc/modules | head -n 1)" 0 "after $kills kills nobody holds the module"
kill -9 $work
wait $work 2>/dev/null
ok "ringtail unloads" rmmod ringtail
insmod /rt/ringtail.ko

cpu1=/sys/devices/system/cpu/cpu1/online
if [ -w $cpu1 ]; then
	echo 0 >$cpu1
	ringtail record -e cpu-clock -F 999 -a -o $ours 2>/tmp/said &
	agent=$!
	until grep -q 'recording to' /tmp/said || ! kill -0 $agent; do usleep 10000; done
	for _ in 1 2 3; do
		echo 1 >$cpu1
		taskset 2 rt_work hot 1000
		echo 0 >$cpu1
	done
	echo 1 >$cpu1
	kill -INT $agent
	wait $agent
	is $? 0 "CPUs may go and come while sampling"
	ok "a CPU that came later is sampled" \
		[ "$(perf script -i $ours -F comm,cpu | grep rt_work | grep -c '\[001\]')" -gt 10 ]
	like "$(cat /tmp/said)" ' 0 lost' "nothing is lost"
	is "$(perf script -i $ours 2>&1 >/dev/null)" "" "perf reads it without a warning"

	# If the kernel has no counter for a CPU that comes online, record reports it.
	echo 0 >$cpu1
	said=$(ringtail record -e cpu-clock -F 99 -a -o $ours -- sh -c "
		insmod /rt/modules/rt_override.ko function=perf_event_create_kernel_counter value=-12
		echo 1 >$cpu1
		until [ \$(cat /sys/module/rt_override/parameters/calls) -gt 0 ]; do usleep 10000; done
		rmmod rt_override" 2>&1)
	is $? 0 "a CPU may come without a counter"
	like "$said" 'not sampled: 1 times the kernel had no counter for a CPU that came' "which is told"
else
	skip "CPUs may go and come while sampling" "this kernel cannot take CPUs offline"
fi

ok "ringtail unloads" rmmod ringtail
done_testing
