#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=4 mem=2048 numa=1 timeout=400 default="newest-*"
#
# Two memory nodes: a reader thread reads the rings of one node's CPUs and runs there; not on CPUs on which
# ringtail itself may not run.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit
[ -e /sys/devices/system/node ] || skip_all "this kernel knows no memory nodes"
is "$(cat /sys/devices/system/node/node[01]/cpulist | tr '\n' ' ')" "0,2 1,3 " "two nodes" || { done_testing; exit; }

# storm PLACES COMMAND…: record with this prefix; $places: where its threads may run at the end, the first thread first.
# The second thread begins when the rings hold much, and then goes to its place.  On a slow host it may be too
# late for that: if it was not seen, or only at the place of the first thread, the recording is repeated.
storm() {
	want=$1 first=${1%% *}
	shift
	for try in 1 2 3 4; do
		"$@" ringtail record -a -e raw_syscalls:sys_enter -m 128K --threads=2 -o /tmp/perf.data \
			-- rt_bench_storm 8 2 >/tmp/did 2>/tmp/said &
		agent=$!
		places=
		while usleep 100000 && [ -e /proc/$agent/exe ]; do
			now=$(sed -n 's/^Cpus_allowed_list:\t//p' /proc/$agent/task/*/status 2>/dev/null | tr '\n' ' ')
			[ "$(echo "$now" | wc -w)" -lt 2 ] || places=$now
		done
		wait $agent
		status=$?
		[ "$places" != "$want" ] && [ $status = 0 ] || break
		[ -z "$places" ] || [ "$places" = "$first $first " ] || break
	done
	is $status 0 "$*: status" || diag "$(cat /tmp/said)"
	diag "recording $try: $(grep 'events written' /tmp/said)"
}
storm "0-3 1,3 " env
is "$places" "$want" "the second thread reads the second node's rings, on that node"
is "$(perf_events -i /tmp/perf.data -F cpu 2>/dev/null | tr -dc '0-9\n' | sort -u | tr '\n' ' ')" "000 001 002 003 " "events of all CPUs are there"
storm "0-1 1 " taskset 3
is "$places" "$want" "on a part of it, if ringtail may not run on the others"
storm "0,2 0,2 " taskset 5
is "$places" "$want" "anywhere, if it may run on none of them"
done_testing
