#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 timeout=900 heavy=1 icount=1 level=all kernels="!(debug-*|kcsan-*)"
#
# In a guest that executes one instruction per nanosecond, the number of clock samples is exact: the
# run time divided by the period, give or take one or two, and as many as perf has.

# shellcheck disable=SC2154 # of sample.sh
. ./lib/tap.sh
. ./lib/sample.sh

period=1000000
insmod /rt/ringtail.ko || exit

# in_work DATA: the number of samples in the functions of the program.
in_work() { names "$1" | grep -c '^rt_work_'; }
# The program and the agent share one CPU.  A tick that arrives in the kernel gives no sample of the
# program, and how many ticks do so depends on when the agent runs.
near() { [ $(($1 - $2)) -le ${3:-4} ] && [ $(($2 - $1)) -le ${3:-4} ]; } # A B [HOW-NEAR]

# Run it once first, so that everything is in memory and the kernel has done its first-time work.
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

# A run of twice the length has twice as many samples.
record -q -e cpu-clock:u -c $period -- rt_work hot 4000
ok "twice the work, twice the samples: $(in_work $ours)" near "$(in_work $ours)" $((2 * first)) 6
record -q -e cpu-clock:u -c $((period / 2)) -- rt_work hot 2000
ok "half the period, twice the samples: $(in_work $ours)" near "$(in_work $ours)" $((2 * first)) 6

ok "ringtail unloads" rmmod ringtail
done_testing
