#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# events - what one event costs the CPU on which it happens: guest instructions above those
# of the same thing with nothing armed, ringtail beside ftrace and perf in the same boot, and
# beside the floor, a handler that only counts.

set -eu
. "$(dirname "$0")/../../scripts/lib/setup.sh"
. "$RT_TOP/scripts/lib/bench.sh"
cd "$RT_TOP"

table() {
	awk '$2 ~ /^(floor|ringtail|command|ftrace|perf)$/ { v[$1, $2] = $3; b[$1, $2] = $4; if (!seen[$1]++) name[++n] = $1 }
	$2 == "floor-ftrace" { entry = $3 }
	$2 == "ringtail-kprobe" { other = $3 }
	END {
		printf "%-14s %8s %8s %8s %8s %8s   bytes: %8s %8s %8s\n", "event", "floor", "session",
		       "record", "ftrace", "perf", "ringtail", "ftrace", "perf"
		for (i = 1; i <= n; i++) {
			e = name[i]
			printf "%-14s %8.0f %8.0f %8.0f %8.0f %8.0f          %8.0f %8.0f %8.0f\n", e, v[e, "floor"],
			       v[e, "ringtail"], v[e, "command"], v[e, "ftrace"], v[e, "perf"], b[e, "ringtail"],
			       b[e, "ftrace"], b[e, "perf"]
		}
		printf "a function entry through ftrace, with registers: floor %.0f; ringtail with ftrace=0: %.0f\n", entry, other
	}'
}

get() { # CASE WHO COLUMN
	awk -v c="$1" -v w="$2" -v n="$3" '$1 == c && $2 == w { print $n }' <<<"$out"
}

# What `ringtail record` costs, or a session of the benchmark's own where record has no such event.
own() {
	local by_command
	by_command=$(get "$1" command 3)
	echo "${by_command:-$(get "$1" ringtail 3)}"
}

# of CASE PEER LIMIT
of() { bench "events.$kernel.$1.of-$2" "$(ratio "$(own "$1")" "$(get "$1" "$2" 3)")" '<=' "$3"; }

# above CASE PEER LIMIT: the same of what comes on top of the kernel's own part
above() {
	local floor
	floor=$(get "$1" floor 3)
	bench "events.$kernel.$1.above-floor-of-$2" \
		"$(awk -v r="$(own "$1")" -v p="$(get "$1" "$2" 3)" -v f="$floor" \
			'BEGIN { printf "%.3f", (r - f) / (p - f) }')" '<=' "$3"
}

for kernel in ${RT_BENCH_KERNELS:-6.1-arm64 6.1-x86_64}; do
	scripts/vm fetch "$kernel" >&2
	scripts/vm build "$kernel" >&2
	out=$(scripts/vm run "$kernel" --icount --smp 1 --timeout 3000 -- sh -c 'insmod /rt/ringtail.ko &&
		insmod /rt/modules/rt_play.ko && insmod /rt/modules/rt_bench_floor.ko && rt_bench_events &&
		insmod /rt/modules/rt_watch_play.ko && insmod /rt/modules/rt_bench_traps.ko && rt_bench_traps')
	echo "$kernel, guest instructions for one event"
	table <<<"$out"
	of sys_enter ftrace 0.5
	of sched_switch ftrace 0.45
	of kprobe ftrace 0.65
	of kprobe perf 0.45
	of kretprobe perf 0.55
	of uprobe perf 0.8
	above uprobe perf 0.5
	of generic perf 0.8
	echo "generic of native: $(ratio "$(get generic ringtail 3)" "$(get sys_enter ringtail 3)")"
	stack=$(awk -v a="$(get inner+stack ringtail 3)" -v b="$(get inner ringtail 3)" 'BEGIN { print a - b }')
	perf=$(awk -v a="$(get inner+stack perf 3)" -v b="$(get inner perf 3)" 'BEGIN { print a - b }')
	echo "ten frames of stack: $stack, perf's: $perf"
	# A kernel with frame pointers; where it has tables instead, its own unwinder is the floor.
	case $kernel in
	*-arm64) bench "events.$kernel.ten-frames" "$stack" '<=' 1000 ;;
	*) bench "events.$kernel.ten-frames-of-perf" "$(ratio "$stack" "$perf")" '<=' 1.05 ;;
	esac
	of watch perf 0.85
	bench "events.$kernel.watch-lost" "$(get watch ringtail 6)" '==' 0
	case $kernel in
	*-arm64)
		of sample+stack perf 0.7
		of sample+both perf 0.7
		;;
	*)
		# The kernel's unwinder takes more than four fifths, and more on newer kernels.
		above sample+stack perf 0.4
		of sample+both perf 1
		;;
	esac
	bench "events.$kernel.burst-lost" "$(get burst ringtail 6)" '==' 0
	bench "events.$kernel.burst-written" "$(get burst ringtail 5)" '==' 100000
	# The timer's ticks fall where they fall: less than one instruction an event is none.
	for case in sys_enter sched_switch kprobe; do
		bench "events.$kernel.$case.unarmed" "$(get $case unarmed 3)" '<' 1
		bench "events.$kernel.$case.bytes-of-perf" \
			"$(ratio "$(get $case ringtail 4)" "$(get $case perf 4)")" '<=' 0.6
		bench "events.$kernel.$case.bytes-of-ftrace" \
			"$(ratio "$(get $case ringtail 4)" "$(get $case ftrace 4)")" '<=' 1
	done
done

# The entry of a function on the newest kernels: through ftrace, whichever registers that gives.
for kernel in ${RT_BENCH_ENTRY_KERNELS-newest-arm64 newest-x86_64}; do
	scripts/vm fetch "$kernel" >&2
	scripts/vm build "$kernel" >&2
	out=$(scripts/vm run "$kernel" --icount --smp 1 -- sh -c 'insmod /rt/ringtail.ko &&
		insmod /rt/modules/rt_play.ko && insmod /rt/modules/rt_bench_floor.ko && rt_bench_events kprobe')
	echo "$kernel, guest instructions for one function entry"
	table <<<"$out"
	of kprobe ftrace 0.65
	of kprobe perf 0.45
	# On x86 the kernel has replaced the kprobe's trap by a jump, and less can be saved.
	case $kernel in
	*-arm64) limit=0.7 ;;
	*) limit=0.9 ;;
	esac
	bench "events.$kernel.kprobe.of-own-kprobe" \
		"$(ratio "$(get kprobe ringtail 3)" "$(get kprobe ringtail-kprobe 3)")" '<=' $limit
done
