#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# ring - what one record costs: guest instructions beside ftrace's and perf's ring in the same
# boot, and on the host beside a plain copy of the same bytes.

set -eu
. "$(dirname "$0")/../../scripts/lib/setup.sh"
. "$RT_TOP/scripts/lib/bench.sh"
cd "$RT_TOP"

# Hundredths of an instruction in the log, instructions in the table.
guest_table() {
	awk '$1 ~ /^(floor|ringtail|ftrace|perf)$/ { v[$1, $2] = $3 / 100; if (!seen[$2]++) size[++n] = $2 }
	$1 == "clock" { printf "%s: reading the clock: %.0f instructions of each record\n", k, $3 / 100 }
	$1 ~ /^subbuf-/ { sub(/subbuf-/, "", $1); subs = subs sprintf("  %s: %.0f", $1, $3 / 100) }
	END {
		printf "%8s %8s %8s %8s %8s\n", "payload", "floor", "ringtail", "ftrace", "perf"
		for (i = 1; i <= n; i++)
			printf "%8d %8.0f %8.0f %8.0f %8.0f\n", size[i], v["floor", size[i]],
			       v["ringtail", size[i]], v["ftrace", size[i]], v["perf", size[i]]
		print "32 bytes by sub-buffer size:" subs
	}' k="$1"
}

value() { awk -v what="$1" -v size="$2" '$1 == what && $2 == size { print $3 / 100 }'; }

for kernel in 6.1-arm64 6.1-x86_64; do
	scripts/vm fetch $kernel >&2
	scripts/vm build $kernel >&2
	out=$(scripts/vm run $kernel --icount --smp 1 -- \
		sh -c 'with-perf-ring insmod /rt/modules/rt_ring_bench.ko perf_fd=3 && dmesg' | sed -n 's/.*rt_ring_bench: //p')
	echo "$kernel, guest instructions per record"
	guest_table $kernel <<<"$out"
	ours=$(value ringtail 32 <<<"$out")
	theirs=$(value ftrace 32 <<<"$out")
	if [ "$kernel" = 6.1-arm64 ]; then
		# Here the emulator counts instructions with several CPUs, too.
		many=$(scripts/vm run $kernel --icount --qemu -smp --qemu 8 -- \
			sh -c 'insmod /rt/modules/rt_ring_bench.ko && dmesg' | sed -n 's/.*rt_ring_bench: cpus-//p')
		echo "32 bytes by number of CPUs that write:" "$(awk '{ printf "  %d: %.0f", $1, $3 / 100 }' <<<"$many")"
		read -r one eight <<<"$(awk '$1 == 1 { a = $3 } $1 == 8 { b = $3 } END { print a, b }' <<<"$many")"
		bench ring.$kernel.eight-cpus-of-one "$(ratio "$eight" "$one")" '<=' 1.05
	fi
	bench "ring.$kernel.of-ftrace" "$(ratio "$ours" "$theirs")" '<=' 0.5
	bench "ring.$kernel.of-perf" "$(ratio "$ours" "$(value perf 32 <<<"$out")")" '<' 1
done

make -s build/bench/ring_host
out=$(build/bench/ring_host)
echo "host, nanoseconds per record"
echo "$out"
read -r copy write <<<"$(awk '$1 == "size" && $2 == 32 { print $4, $6 }' <<<"$out")"
bench ring.host.of-copy "$(ratio "$write" "$copy")" '<=' 4
bench ring.host.decode-GB/s "$(awk '$1 == "decode" { print $2 }' <<<"$out")" '>=' 1
read -r one four <<<"$(awk '$1 == "writers" { v[$2] = $3 } END { print v[1], v[4] }' <<<"$out")"
bench ring.host.four-writers-of-one "$(ratio "$four" "$one")" '<=' 1.25
