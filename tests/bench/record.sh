#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# record - what it costs to write an event to the file: instructions that the recorder executes for a
# system call's entry, ringtail beside perf in the same guest; and the bytes in the file, also compressed and raw.

set -eu
. "$(dirname "$0")/../../scripts/lib/setup.sh"
. "$RT_TOP/scripts/lib/bench.sh"
cd "$RT_TOP"

calls=100000
get() { awk -v w="$1" -v n="$2" '$1 == w { print $n }' <<<"$out"; } # WHO COLUMN

for kernel in ${RT_BENCH_KERNELS:-6.1-arm64 6.1-x86_64}; do
	scripts/vm fetch "$kernel" >&2
	scripts/vm build "$kernel" >&2
	# The emulator counts each byte of a "rep movsb" or "rep stosb", with which x86_64 kernels copy and clear
	# pages.  Without these two features they use words.  RT_BENCH_CPU=max: as processors have them.
	cpu=()
	[[ $kernel != *x86_64* ]] || cpu=(--cpu "${RT_BENCH_CPU:-max,-erms,-fsrm}")
	out=$(scripts/vm run "$kernel" "${cpu[@]}" --icount --smp 1 --timeout 600 -- '
		insmod /rt/ringtail.ko || exit
		count() { # of events in /tmp/data
			case $name in
			*-raw) ringtail data -q /tmp/data -o /tmp/expanded && perf script -i /tmp/expanded -F event 2>/dev/null | wc -l ;;
			*) perf script -i /tmp/data -F event 2>/dev/null | wc -l ;;
			esac
		}
		drain() { # NAME COMMAND…
			name=$1
			shift
			"$@" -e raw_syscalls:sys_enter -m 16M -o /tmp/data -- true 2>/tmp/err || cat /tmp/err >&2
			front=$(stat -c %s /tmp/data) few=$(count)
			"$@" -e raw_syscalls:sys_enter -m 16M -o /tmp/data -- rt_bench_drain '$calls' >/tmp/out 2>/tmp/err || cat /tmp/err >&2
			many=$(count)
			echo "$name $(cat /tmp/out) $((($(stat -c %s /tmp/data) - front) * 10 / (many - few))) $many"
		}
		drain ringtail ringtail record
		drain ringtail-raw ringtail record --raw
		drain ringtail-z ringtail record -z
		drain perf perf record -q -B')
	echo "$kernel: instructions while idle for four seconds, instructions for an event, tenths of a byte of the file for an event, events in it"
	echo "$out"
	bench "record.$kernel.instructions" "$(get ringtail 3)" '<' 400
	bench "record.$kernel.raw-instructions" "$(get ringtail-raw 3)" '<=' 90
	bench "record.$kernel.raw-bytes-of-expanded" "$(ratio "$(get ringtail-raw 4)" "$(get ringtail 4)")" '<=' 0.6
	bench "record.$kernel.bytes-of-perf" "$(ratio "$(get ringtail 4)" "$(get perf 4)")" '<=' 1
	bench "record.$kernel.bytes-compressed-of-perf" "$(ratio "$(get ringtail-z 4)" "$(get perf 4)")" '<=' 0.5
done
