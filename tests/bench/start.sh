#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# start - what a recording of nothing takes from the command to its end: the guest's clock under -icount, where
# a nanosecond is an instruction, ringtail beside perf; the first recording of a boot, and one after it.

set -eu
. "$(dirname "$0")/../../scripts/lib/setup.sh"
. "$RT_TOP/scripts/lib/bench.sh"
cd "$RT_TOP"

get() { awk -v w="$1" '$1 == w { print $2 }' <<<"$out"; } # WHAT

for kernel in ${RT_BENCH_KERNELS:-newest-arm64 6.1-x86_64}; do
	scripts/vm fetch "$kernel" >&2
	scripts/vm build "$kernel" >&2
	# shellcheck disable=SC2016 # for the guest
	out=$(scripts/vm run "$kernel" --icount --smp 1 --timeout 900 -- bash -c '
		insmod /rt/ringtail.ko || exit
		TIMEFORMAT=%R
		took() { # NAME COMMAND…
			name=$1
			shift
			seconds=$({ time "$@" -o /tmp/data -- true >/dev/null 2>/tmp/err; } 2>&1) || cat /tmp/err >&2
			echo "$name $(awk "BEGIN { printf \"%d\", 1000 * $seconds }")"
		}
		took first ringtail record -e sched:sched_switch
		took tracepoint ringtail record -e sched:sched_switch
		took kprobe-first ringtail record -e kprobe:vfs_read
		took kprobe ringtail record -e kprobe:vfs_read
		took perf perf record -q -e sched:sched_switch
		took perf-B perf record -q -B -N -e sched:sched_switch')
	echo "$kernel: millions of instructions for a recording of nothing"
	echo "$out"
	bench "start.$kernel.tracepoint-of-perf" "$(ratio "$(get tracepoint)" "$(get perf)")" '<=' 0.2
	bench "start.$kernel.kprobe-of-perf" "$(ratio "$(get kprobe)" "$(get perf)")" '<=' 0.2
done
