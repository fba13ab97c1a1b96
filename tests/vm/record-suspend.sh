#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=600 level=all
#
# A recording goes on over suspends of the machine, and over CPUs that go offline and come back: what is written
# and what is lost is what the workload did, in every round.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit
data=/results/suspend.data

# run WHAT FUNCTION: record a workload that counts its own work, and call the function meanwhile.
run() {
	rm -f /tmp/stop /tmp/sum /tmp/going
	ringtail record -q -a -e page-faults -c 1 -o /results/faults.data 2>/tmp/faults-said &
	faults=$!
	# shellcheck disable=SC2016 # for the inner shell
	ringtail record -a -e kprobe:rt_play_number -o $data -- sh -c '
		n=0
		until [ -e /tmp/stop ]; do
			echo number 100 >/proc/rt_play && n=$((n + 100))
			: >/tmp/going
		done
		echo $n >/tmp/sum' >/tmp/said 2>&1 &
	agent=$!
	until [ -e /tmp/going ] || [ ! -d /proc/$agent ]; do usleep 50000; done
	$2
	: >/tmp/stop
	wait $agent
	is $? 0 "$1: status" || diag "$(cat /tmp/said)"
	kill -INT $faults
	wait $faults
	is $? 0 "$1: status of the recording of a counter" || diag "$(cat /tmp/faults-said)"
	perf script $without_names -F cpu,event,time -i $data >/tmp/lines 2>/tmp/warnings
	got=$(grep -c 'rt_play_number:' /tmp/lines)
	lost=$(sed -n 's/.* \([0-9]*\) lost.*/\1/p' /tmp/said)
	is $((got + lost)) "$(cat /tmp/sum)" "$1: $got written and $lost lost are what the workload counted"
	is "$(grep -v 'lost' /tmp/warnings | grep -vE '^Warning:$|^Check IO/CPU overload!$|^$')" "" "$1: perf reads it without a warning"
	is "$(awk '{ sub(/:$/, "", $2); if ($2 + 0 < last + 0) print "back"; last = $2 }' /tmp/lines | sort -u)" "" "$1: times do not go back"
}

# The counter of a CPU that came back is armed by a worker, soon.
touch_there() {
	for _ in 1 2 3 4 5; do
		usleep 200000
		taskset 2 rt_work touch 200
	done
}
faults() { perf script $without_names -F comm,cpu -i /results/faults.data 2>/dev/null | grep -c '^ *rt_work *\[001\]'; }

hotplug() {
	for _ in 1 2 3; do
		echo 0 >/sys/devices/system/cpu/cpu1/online
		usleep 200000
		echo 1 >/sys/devices/system/cpu/cpu1/online
		usleep 200000
	done
	touch_there
}
run "a CPU that goes and comes" hotplug
ok "the counter of the CPU that came back counts" [ "$(faults)" -ge 200 ]

if [ ! -w /sys/power/pm_test ]; then
	skip "suspending" "this kernel has no pm_test"
else
	# A test of all steps but the last, which ends by itself after some seconds.
	case $(cat /sys/power/mem_sleep 2>/dev/null) in
	*'[deep]'*) echo core >/sys/power/pm_test ;;
	*) echo platform >/sys/power/pm_test ;;
	esac
	[ ! -w /sys/module/suspend/parameters/pm_test_delay ] || echo 1 >/sys/module/suspend/parameters/pm_test_delay
	suspended=0
	suspend() {
		for _ in 1 2 3; do
			echo mem >/sys/power/state && suspended=$((suspended + 1))
			usleep 200000
		done
		touch_there
	}
	run "suspends" suspend
	is $suspended 3 "the machine was suspended three times ($(cat /sys/power/pm_test), $(cat /sys/power/mem_sleep))"
	ok "the counter of the second CPU counts afterwards" [ "$(faults)" -ge 200 ]
fi

ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
