#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# info - guest instructions of an INFO ioctl, on both architectures, the empty system
# call beside them.  The goal keeps INFO a matter of copying a struct: it must not probe
# hardware each time it is asked.

set -eu
. "$(dirname "$0")/../../scripts/lib/setup.sh"
. "$RT_TOP/scripts/lib/bench.sh"
cd "$RT_TOP"

for kernel in 6.1-arm64 6.1-x86_64; do
	scripts/vm fetch $kernel >&2
	scripts/vm build $kernel >&2
	out=$(scripts/vm run $kernel --icount --smp 1 -- sh -c 'insmod /rt/ringtail.ko && rt_bench_info')
	read -r _ floor _ info <<<"$(grep '^floor' <<<"$out")"
	echo "$kernel: getppid $floor, INFO $info instructions"
	bench "info.$kernel" "$info" '<=' 2500
done
