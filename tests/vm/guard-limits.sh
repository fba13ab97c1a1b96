#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 mem=1024 timeout=400 flavours="debug-*" default="newest-*"
#
# Every limit of the interface at its maximum: requests within the limit work, and the kernel
# reports no stuck CPU; requests beyond it are refused with the reason.

. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit

for program in limits-check limits-program limits-task; do
	if [ $program = limits-task ] && ! release_since 5 5; then
		skip "$program: every limit at its maximum" "before 5.5 nobody can choose the id of a task"
		continue
	fi
	$program >/tmp/said
	is $? 0 "$program: every limit at its maximum"
	diag "$(cat /tmp/said)"
	like "$(tail -n 1 /tmp/said)" '^1\.\.[0-9]+$' "and all of them were looked at"
done

# RT_SIDE_PATH_MAX includes the NUL.
mkdir /tmp/deep
record -e sched:sched_process_exit -- sh -c 'limits-path /tmp/deep 4095 && limits-path /tmp/deep 4096'
is $? 0 "code is mapped from the longest path that there can be, and from a longer one"
perf_events --show-mmap-events -i /results/perf.data 2>/dev/null |
	sed -n 's/.*PERF_RECORD_MMAP2 .* r-xp //p' >/tmp/maps
is "$(awk 'index($0, "/tmp/deep/") == 1 { print length($0) }' /tmp/maps)" 4095 "the longest path is there, whole"
is "$(grep -c '^//toolong$' /tmp/maps)" 1 "of the longer one it is said that it is too long"
# shellcheck disable=SC2154 # record() sets it
unlike "$said" 'of tasks and mappings' "and nothing of it is lost"

for tenths in 3 12 25; do
	limits-check enable >/dev/null 2>&1 &
	usleep $((tenths * 100000))
	kill -9 $!
	wait $! 2>/dev/null
done
ok "nothing holds the module after sessions at their limits were killed" rmmod ringtail
done_testing
