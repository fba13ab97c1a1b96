#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# storm - events per second that recorders write while every CPU makes system calls as fast as it can, and
# the share that they lose: ringtail, perf and trace-cmd by turns in one guest, rings of equal size.
#
#   one CPU      -icount: one instruction is one nanosecond, so the same run gives the same numbers
#   four CPUs    emulated side by side: the median of seven turns, and the smallest and largest

set -eu
. "$(dirname "$0")/../../scripts/lib/setup.sh"
. "$RT_TOP/scripts/lib/bench.sh"
cd "$RT_TOP"

seconds=${RT_BENCH_SECONDS:-5}
turns=${RT_BENCH_TURNS:-7}

# In the guest: WHO CALLS WRITTEN
# shellcheck disable=SC2016 # for the guest
guest='
	insmod /rt/ringtail.ko || exit
	case $(uname -m) in aarch64) nr=173 ;; *) nr=110 ;; esac
	event=raw_syscalls:sys_enter
	count() { perf script -i /tmp/data -F event 2>/dev/null | wc -l; }
	for turn in $(seq $turns); do
		ringtail record -q -a -e $event --filter "id == $nr" -m $ring -o /tmp/data -- rt_bench_storm $processes $seconds >/tmp/did 2>/tmp/said || cat /tmp/said >&2
		echo "ringtail $(cat /tmp/did) $(count)"
		rm -f /tmp/data
		perf record -q -a -B -e $event --filter "id == $nr" -m $ring -o /tmp/data -- rt_bench_storm $processes $seconds >/tmp/did 2>/tmp/said || cat /tmp/said >&2
		echo "perf $(head -n 1 /tmp/did) $(count)"
		rm -f /tmp/data*
		trace-cmd record -q -b 512 -e $event -f "id == $nr" -o /tmp/data rt_bench_storm $processes $seconds >/tmp/did 2>/tmp/said || cat /tmp/said >&2
		echo "trace-cmd $(grep -x "[0-9]*" /tmp/did | head -n 1) $(trace-cmd report -i /tmp/data 2>/dev/null | grep -c sys_enter:)"
		rm -f /tmp/data*
	done'

# median WHO COLUMN; share WHO: of what happened, the part that is not in the file
column() { awk -v w="$1" -v n="$2" '$1 == w { print $n }' <<<"$out" | sort -n; }
median() { column "$@" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
share() { awk -v w="$1" '$1 == w { did += $2; written += $3 } END { printf "%.4f\n", did ? (did > written ? did - written : 0) / did : 1 }' <<<"$out"; }

# measure KERNEL WHAT PROCESSES TURNS OPTION…
measure() {
	local kernel=$1 what=$2 processes=$3 turns=$4 who
	shift 4
	out=$(scripts/vm run "$kernel" "$@" --mem 3072 --timeout 3000 --program bookworm/trace-cmd:usr/bin/trace-cmd -- \
		"processes=$processes seconds=$seconds turns=$turns ring=512K; $guest")
	echo "$kernel, $what, $processes processes, $seconds s:"
	for who in ringtail perf trace-cmd; do
		echo "  $who: $(($(median $who 3) / seconds)) events/s written ($(column $who 3 | head -n 1) to $(column $who 3 | tail -n 1)" \
			"in all), share lost $(share $who)"
	done
	bench "storm.$kernel.$what.$processes.of-perf" "$(ratio "$(median ringtail 3)" "$(median perf 3)")" '>=' 1.5
	bench "storm.$kernel.$what.$processes.lost" "$(share ringtail)" '<=' "$(ratio "$(share perf)" 2)"
}

for kernel in ${RT_BENCH_KERNELS:-6.1-arm64 6.1-x86_64}; do
	scripts/vm fetch "$kernel" >&2
	scripts/vm build "$kernel" >&2
	measure "$kernel" one-cpu 1 1 --icount --smp 1
	measure "$kernel" one-cpu 4 1 --icount --smp 1
	measure "$kernel" four-cpus 4 "$turns" --smp 4
	measure "$kernel" four-cpus 16 "$turns" --smp 4
done
