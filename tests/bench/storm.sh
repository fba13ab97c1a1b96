#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# storm - events per second that recorders write while every CPU makes system calls as fast as it can, and
# the share that they lose: ringtail, also with --raw, perf and trace-cmd by turns in one guest, rings of
# equal size.
#
#   one CPU      -icount: one instruction is one nanosecond, so the same run gives the same numbers
#   four CPUs    emulated side by side, on arm64 also by turns (-icount): the median, the smallest and the
#                largest
#
# RT_BENCH_SECONDS, RT_BENCH_TURNS, RT_BENCH_WHO (a list of recorders), RT_BENCH_CASES (one-cpu, by-turns,
# side-by-side), RT_BENCH_PROCESSES (a list of 1, 4, 16), RT_BENCH_CPU (see record.sh).  ringtail counts the
# events of perf's file, and the kernel those that trace-cmd read: perf and trace-cmd themselves would take half
# an hour for those of thirty seconds.

set -eu
. "$(dirname "$0")/../../scripts/lib/setup.sh"
. "$RT_TOP/scripts/lib/bench.sh"
cd "$RT_TOP"

seconds=${RT_BENCH_SECONDS:-5}
turns=${RT_BENCH_TURNS:-7}
who=${RT_BENCH_WHO:-ringtail raw perf trace-cmd}
cases=${RT_BENCH_CASES:-one-cpu by-turns side-by-side}
numbers=${RT_BENCH_PROCESSES:-1 4 16}

# In the guest: WHO CALLS WRITTEN
# shellcheck disable=SC2016 # for the guest
guest='
	insmod /rt/ringtail.ko || exit
	case $(uname -m) in aarch64) nr=173 ;; *) nr=110 ;; esac
	event=raw_syscalls:sys_enter
	storm="rt_bench_storm $processes $seconds"
	count() { ringtail report -i /tmp/data -n -s comm | awk "/^[^#]/ { n += \$2 } END { print n }"; }
	for turn in $(seq $turns); do
		for who in $recorders; do
			case $who in
			ringtail) ringtail record -a -e $event --filter "id == $nr" -m $ring -o /tmp/data -- $storm ;;
			raw) ringtail record --raw -a -e $event --filter "id == $nr" -m $ring -o /tmp/data -- $storm ;;
			perf) perf record -a -B -e $event --filter "id == $nr" -m $ring -o /tmp/data -- $storm ;;
			trace-cmd) trace-cmd record -q -k -b 512 -e $event -f "id == $nr" -o /tmp/data $storm ;;
			esac >/tmp/did 2>/tmp/said || cat /tmp/said >&2
			case $who in
			ringtail | raw) written=$(sed -n "s/.*: \([0-9]*\) events written.*/\1/p" /tmp/said) ;;
			perf) written=$(count) ;;
			trace-cmd)
				written=$(sed -n "s/^read events: //p" /sys/kernel/tracing/per_cpu/cpu*/stats | awk "{ n += \$1 } END { print n }")
				trace-cmd reset
				;;
			esac
			echo "$who $(grep -x "[0-9]*" /tmp/did | head -n 1) $written"
			rm -f /tmp/data*
		done
	done'

# median WHO COLUMN; share WHO: of what happened, the part that is not in the file
column() { awk -v w="$1" -v n="$2" '$1 == w { print $n }' <<<"$out" | sort -n; }
median() { column "$@" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
share() { awk -v w="$1" '$1 == w { did += $2; written += $3 } END { printf "%.4f\n", did ? (did > written ? did - written : 0) / did : 1 }' <<<"$out"; }

# measure KERNEL CASE PROCESSES OPTION…
measure() {
	local kernel=$1 what=$2 processes=$3 cpu=() w
	shift 3
	[[ " $cases " == *" $what "* && " $numbers " == *" $processes "* ]] || return 0
	[[ $kernel != *x86_64* ]] || cpu=(--cpu "${RT_BENCH_CPU:-max,-erms,-fsrm}")
	out=$(scripts/vm run "$kernel" "${cpu[@]}" "$@" --mem 6144 --timeout 9000 --program bookworm/trace-cmd:usr/bin/trace-cmd -- \
		"processes=$processes seconds=$seconds turns=$turns recorders='$who' ring=512K; $guest")
	echo "$kernel, $what, $processes processes, $seconds s, $turns turns:"
	for w in $who; do
		echo "  $w: $(($(median "$w" 3) / seconds)) events/s written ($(column "$w" 3 | head -n 1) to $(column "$w" 3 | tail -n 1)" \
			"in all), share lost $(share "$w")"
	done
	[[ " $who " == *" perf "* ]] || return 0
	bench "storm.$kernel.$what.$processes.of-perf" "$(ratio "$(median ringtail 3)" "$(median perf 3)")" '>=' 1.5
	bench "storm.$kernel.$what.$processes.lost" "$(share ringtail)" '<=' "$(ratio "$(share perf)" 2)"
}

for kernel in ${RT_BENCH_KERNELS:-6.1-arm64 6.1-x86_64}; do
	scripts/vm fetch "$kernel" >&2
	scripts/vm build "$kernel" >&2
	measure "$kernel" one-cpu 1 --icount --smp 1
	measure "$kernel" one-cpu 4 --icount --smp 1
	# An x86_64 guest with several CPUs and -icount does not boot in reasonable time.
	[[ $kernel != *arm64* ]] || measure "$kernel" by-turns 4 --icount --smp 4
	measure "$kernel" side-by-side 4 --smp 4
	measure "$kernel" side-by-side 16 --smp 4
done
