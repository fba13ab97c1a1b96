#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=600 heavy=1 arch=arm64 default="@(5.10-*|6.1-*)"
#
# A hardware counter, whose overflow raises its own interrupt, beside a recording of perf: by period
# and by frequency.  Only emulated arm64 machines have such a counter.

# shellcheck disable=SC2154 # of sample.sh
. ./lib/tap.sh
. ./lib/sample.sh

rounds=3000
insmod /rt/ringtail.ko || exit

both -e cycles:u -c 1000000 -g -- rt_work hot $rounds
is "$(names $ours | most)" rt_work_hot "by period: the hot function is on top"
is "$(stacks $ours | most)" "$(stacks $theirs | most)" "with the same stack as in perf's recording"
is "$(periods $ours | sort -u)" 1000000 "each sample stands for so many cycles"
is "$(samples $ours)" "$(written "$said")" "the closing line has the number of samples"
clean_reading $ours "by period"

both -e cycles -F 499 --call-graph dwarf -- rt_work hot $rounds
is "$(names $ours | most)" rt_work_hot "by frequency: the hot function is on top"
like "$(stacks $ours | grep 'rt_work_hot$' | most)" ';rt_work_outer;rt_work_middle;rt_work_hot$' "its stack is whole"
is "$(perf evlist -i $ours)" cycles "it is cycles, not a clock"
clean_reading $ours "by frequency"

both -e cycles:k -c 100000 -g -- rt_work touch 5000
# While interrupts are off, the interrupt of the counter is late, perhaps only back in user space.
like "$(perf evlist -v -i $ours)" 'exclude_user: 1' ":k leaves user space out"
ok "and has the kernel" [ "$(facts $ours | awk '{ print $5 }' | grep -cE '^ffff[0-9a-f]{12}')" -gt 0 ]
unlike "$(stacks $ours)" 'rt_hit|armpmu_dispatch_irq|armv8pmu_handle_irq|handle_irq_event' "stacks begin where the interrupt struck"

for event in r11 cpu_cycles; do
	[ $event = r11 ] || event=$(basename "$(dirname "$(ls -d /sys/bus/event_source/devices/*/events/cpu_cycles | head -n 1)" | sed 's,/events,,')")/cpu_cycles/
	record -e "$event" -c 1000000 -- rt_work hot $rounds
	is $? 0 "$event" || diag "$said"
	is "$(names $ours | most)" rt_work_hot "$event: the hot function is on top"
done

ok "ringtail unloads" rmmod ringtail
done_testing
