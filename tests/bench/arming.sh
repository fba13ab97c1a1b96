#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# arming - what arming and disarming thousands of kprobes takes, as a part of what the same takes
# through tracefs in the same boot, and beside a module that does nothing else: in time on two CPUs, and
# with ten thousand on one CPU that counts instructions; and what a hit costs when ten thousand others
# are armed, as a multiple of what it costs alone, in guest instructions.

set -eu
. "$(dirname "$0")/../../scripts/lib/setup.sh"
. "$RT_TOP/scripts/lib/bench.sh"
cd "$RT_TOP"

# tracefs takes longer for each probe the more there are, so fewer are in its favour.
entries=${RT_BENCH_ENTRIES:-3000} others=${RT_BENCH_OTHERS:-1000} many=${RT_BENCH_MANY:-10000}
counted=${RT_BENCH_COUNTED:-10000}

# shellcheck disable=SC2016 # of the guest's shell
functions='insmod /rt/ringtail.ko && insmod /rt/modules/rt_play.ko && insmod /rt/modules/rt_bench_kprobes.ko || exit
	cd /rt/tests || exit
	grep -v "\[" /sys/kernel/tracing/available_filter_functions >/tmp/traceable
	sort /proc/kallsyms | awk -v least=64 -f lib/functions.awk /tmp/traceable - >/tmp/functions
	case $(uname -m) in
	aarch64) offset=16 ;;
	*) offset=5; [ "$(head -c 8 /proc/rt_play)" != f30f1efa ] || offset=9 ;;
	esac
	some() { awk -v n=$1 "{ l[NR] = \$0 } END { for (i = 0; i < n && i < NR; i++) print l[1 + int(i * NR / n)] }" /tmp/functions; }
	place() { # NAME OFFSET COUNT
		some $3 >/tmp/some
		for who in ringtail floor tracefs; do echo "$1 $(rt_bench_arming $who $2 $3 </tmp/some)"; done
	}'

sum() { # WHO PLACE: milliseconds from the first step to the last
	awk -v w="$1" -v p="$2" '$1 == p && $2 == w { print $4 + $5 + $6 + $7 }' <<<"$out"
}

compare() { # SUFFIX
	bench "arming.$kernel.entry$1.of-tracefs" "$(ratio "$(sum ringtail entry)" "$(sum tracefs entry)")" '<=' 0.033
	bench "arming.$kernel.other$1.of-tracefs" "$(ratio "$(sum ringtail other)" "$(sum tracefs other)")" '<=' 0.1
	echo "$kernel: a bare module that registers and unregisters the same kprobes takes" \
		"$(ratio "$(sum floor other)" "$(sum tracefs other)") of tracefs' time at other places"
}

for kernel in ${RT_BENCH_KERNELS:-newest-x86_64 5.10-x86_64 6.1-arm64}; do
	scripts/vm fetch "$kernel" >&2
	scripts/vm build "$kernel" >&2
	if [ "$entries" -gt 0 ]; then
		out=$(scripts/vm run "$kernel" --smp 2 --timeout 1500 -- sh -c "$functions"'
			place entry 0 '"$entries"'
			place other $offset '"$others"'
			echo "many $(rt_bench_arming ringtail 0 '"$many"' </tmp/functions)"')
		echo "$kernel: place, who, probes, milliseconds for adding, arming, disarming, removing"
		grep -E '^(entry|other|many) ' <<<"$out"
		compare ""
	fi
	if [ "$counted" -gt 0 ]; then
		out=$(scripts/vm run "$kernel" --icount --smp 1 --timeout 3000 -- sh -c "$functions"'
			place entry 0 '"$counted"'
			place other $offset '"$counted")
		echo "$kernel: the same in millions of guest instructions, and waiting, on one CPU"
		grep -E '^(entry|other) ' <<<"$out"
		compare .counted
	fi
	out=$(scripts/vm run "$kernel" --icount --smp 1 --timeout 900 -- sh -c "$functions"'
		rt_bench_arming hit 0 '"$many"' </tmp/functions')
	echo "$kernel: guest instructions for one hit, alone and among others, and how many are armed"
	grep '^hit ' <<<"$out"
	bench "arming.$kernel.hit.among-of-alone" "$(awk '$1 == "hit" { printf "%.3f", $3 / $2 }' <<<"$out")" '<=' 2
done
