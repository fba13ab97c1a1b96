#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 timeout=900 heavy=1 icount=1 level=all kernels="!(debug-*|kcsan-*)"
#
# Where a nanosecond of the guest is an instruction, samples of the clock can be counted on: as many
# as the time has periods, but for one or two at its ends, and as many as perf's.

# shellcheck disable=SC2154 # of sample.sh
. ./lib/tap.sh
. ./lib/sample.sh

period=1000000
insmod /rt/ringtail.ko || exit

# in_work DATA: samples in its functions.
in_work() { names "$1" | grep -c '^rt_work_'; }
near() { [ $(($1 - $2)) -le ${3:-2} ] && [ $(($2 - $1)) -le ${3:-2} ]; } # A B [HOW-NEAR]

# Once, so that everything is in memory, and the kernel has done what it does the first time.
record -q -e cpu-clock:u -c $period -- rt_work hot 2000
record -q -e cpu-clock:u -c $period -- rt_work hot 2000
first=$(in_work $ours)
record -q -e cpu-clock:u -c $period -- rt_work hot 2000
second=$(in_work $ours)
perf record -q -B -e cpu-clock:u -c $period -o $theirs -- rt_work hot 2000 2>/dev/null
third=$(in_work $theirs)
ok "there are samples: $first" [ "$first" -ge 100 ]
ok "two recordings have the same number: $first, $second" near "$first" "$second"
ok "perf's has, too: $third" near "$first" "$third"
is "$(periods $ours | sort -u)" $period "each stands for the period"

# What is sampled lasts twice as long: twice as many.
record -q -e cpu-clock:u -c $period -- rt_work hot 4000
ok "twice the work, twice the samples: $(in_work $ours)" near "$(in_work $ours)" $((2 * first)) 6
record -q -e cpu-clock:u -c $((period / 2)) -- rt_work hot 2000
ok "half the period, twice the samples: $(in_work $ours)" near "$(in_work $ours)" $((2 * first)) 6

ok "ringtail unloads" rmmod ringtail
done_testing
