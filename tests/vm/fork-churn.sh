#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 icount=1 timeout=600 default="newest-*"
#
# Many tasks start and exit.  The cost of following them does not grow with time, neither for them
# nor for others, and a watch on one process does not slow the forks of others.  Costs are counted
# in instructions.

. ./lib/tap.sh

insmod /rt/ringtail.ko || exit
late=0
module_offers 9 || late=1

forks=17000
[ "${RT_LEVEL:-default}" = default ] || forks=100000
fork-churn $forks >/tmp/costs
is $? 0 "measured, with $forks forks"
diag "$(cat /tmp/costs)"

# at_most NAME LIMIT WHAT: the second number of a line is at most LIMIT times the first.
at_most() {
	awk -v name="$1" -v limit="$2" '$1 == name { found = 1; bad = !$2 || $3 > limit * $2 } END { exit bad || !found }' /tmp/costs
	is $? 0 "$3: at most $2 times as much"
}
column() { awk -v name="$1" -v n="$2" '$1 == name { print $n }' /tmp/costs; }

at_most syscall 1.1 "a system call of a task that is not followed, after the forks"
is "$(column syscall 4)" $forks "each followed child was recorded"
at_most others 1.1 "a fork of others while a process is watched"
at_most followed 2 "a fork of the process that is watched"
# Three rounds of a hundred, and ten to warm up.
is "$(column followed 4)" 310 "each of its children was watched"
# Bit 9: RT_SOURCE_WATCH_NEWBORN.  Without it children may run before they are watched, which is counted.
if [ "$late" = 0 ]; then
	is "$(column followed 5)" 0 "none was missed"
else
	is "$(column followed 5)" 310 "that each may have run before is counted"
fi

ok "ringtail unloads" rmmod ringtail
done_testing
