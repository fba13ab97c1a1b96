#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 timeout=900 icount=1 level=all
#
# Where a nanosecond of the guest is an instruction, samples of the clock can be counted on:
# as many as the time has periods, the same in every recording, and where perf's are.

. ./lib/tap.sh
. ./lib/sample.sh

ours=/results/ours.data theirs=/tmp/theirs.data
period=1000000
insmod /rt/ringtail.ko || exit

# in_hot DATA: samples in the hot function.
in_hot() { names "$1" | grep -cx rt_work_hot; }
near() { # A B PERMILLE: whether they differ by no more
	awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN { d = a > b ? a - b : b - a; exit !(d * 1000 <= p * b + 1000) }'
}

rt_work hot 300 # once, so that everything is in memory
ringtail record -q -e cpu-clock:u -c $period -o $ours -- rt_work hot 300
first=$(in_hot $ours)
ringtail record -q -e cpu-clock:u -c $period -o $ours -- rt_work hot 300
second=$(in_hot $ours)
perf record -q -e cpu-clock:u -c $period -o $theirs -- rt_work hot 300 2>/dev/null
third=$(in_hot $theirs)
ok "there are samples: $first" [ "$first" -ge 10 ]
ok "two recordings have the same number: $first, $second" near "$first" "$second" 0
ok "perf's has, too: $third" near "$first" "$third" 10
is "$(perf script -i $ours -F period | sort -u | tr -d ' ')" $period "each stands for the period"

# What is sampled lasts twice as long: twice as many.
ringtail record -q -e cpu-clock:u -c $period -o $ours -- rt_work hot 600
ok "twice the work, twice the samples: $(in_hot $ours)" near "$(in_hot $ours)" $((2 * first)) 10
ringtail record -q -e cpu-clock:u -c $((period / 2)) -o $ours -- rt_work hot 300
ok "half the period, twice the samples: $(in_hot $ours)" near "$(in_hot $ours)" $((2 * first)) 10

ok "ringtail unloads" rmmod ringtail
done_testing
