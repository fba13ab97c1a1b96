#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# lanes - what a second reader thread of `record` gains, on this machine and without the module: events per
# second from full rings in memory into a file in memory, with one thread and with two, by turns.  The
# median of seven turns, the least and the greatest.  It needs two idle processors: the time that passes is
# what counts here.

set -eu
. "$(dirname "$0")/../../scripts/lib/setup.sh"
. "$RT_TOP/scripts/lib/bench.sh"
cd "$RT_TOP"

turns=${RT_BENCH_TURNS:-7}
dir=${RT_BENCH_DIR:-/dev/shm}
make -s build/bench/lanes

# Column N of those who read with so many threads, per event: THREADS N; in order.
column() { awk -v t="$1" -v n="$2" '$1 == t { printf "%.3f\n", $n / $2 }' <<<"$out" | sort -n; }
median() { column "$@" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# Millions of events per second that take so many nanoseconds each.
rate() { awk '{ printf "%.2f\n", 1000 / $1 }'; }

# measure NAME RINGS LEVEL
measure() {
	local turn threads
	out=
	for ((turn = 0; turn < turns; turn++)); do
		for threads in 1 2; do
			out+="$threads $(build/bench/lanes "$2" $threads "$3" "$dir")"$'\n'
		done
	done
	echo "$1: $2 rings, compression $3, million events/s of $(awk 'NR == 1 { print $2 }' <<<"$out") events," \
		"load $(cut -d ' ' -f 1 /proc/loadavg), $(nproc) processors:"
	for threads in 1 2; do
		echo "  $threads threads: $(median $threads 3 | rate) ($(column $threads 3 | tail -n 1 | rate) to" \
			"$(column $threads 3 | head -n 1 | rate)), processor time $(median $threads 4) ns per event," \
			"$(median $threads 5) of them the first thread's"
	done
	bench "lanes.$1.gain" "$(ratio "$(median 1 3)" "$(median 2 3)")" '>' 1
}

measure two-rings 2 0
measure eight-rings 8 0
measure compressed 2 1
