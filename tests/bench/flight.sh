#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# flight - what an event of a flight costs, in guest instructions, beside one of a recording that discards; and how fast
# `ringtail flight extract` reads dumps in the page cache: processor time, which other work on the machine
# changes little, and memory.  The dump is that of a guest that died, kept in build/bench/, and what is made of it.  A dump that
# is sixteen times as large is the same one over and over, at other addresses.

set -eu
. "$(dirname "$0")/../../scripts/lib/setup.sh"
. "$RT_TOP/scripts/lib/bench.sh"
cd "$RT_TOP"
. tests/lib/crash.sh
rt_need bench unit

dir=$RT_TOP/build/bench/flight
mkdir -p "$dir"
make -s build/ringtail build/bench/dump_unpack
ringtail=$RT_TOP/build/ringtail
kernel=newest-$(uname -m | sed 's/aarch64/arm64/')

if [ ! -e "$dir/vmcore" ]; then
	# shellcheck disable=SC2016 # for the guest's shell
	crash_guest "$dir" "$kernel" 'insmod /rt/ringtail.ko; ringtail record -q -a --overwrite -o /tmp/x -e sched:sched_switch -- \
		sh -c "kill -STOP \$PPID; sleep 1; echo c >/proc/sysrq-trigger"'
	crash_dump "$dir" vmcore.new elf
	crash_end
	mv "$dir/vmcore.new" "$dir/vmcore"
fi
for how in zlib zstd; do
	[ -e "$dir/$how" ] || python3 tests/host/lib/kdump-make.py "$dir/vmcore" "$dir/$how" $how zeros
done
[ -e "$dir/raw" ] || python3 - "$dir/vmcore" "$dir/large" "$dir/raw" <<'END'
import struct, sys
data = open(sys.argv[1], 'rb').read()
phoff, phnum = struct.unpack_from('<Q', data, 32)[0], struct.unpack_from('<H', data, 56)[0]
loads = [s for s in struct.iter_unpack('<IIQQQQQQ', data[phoff:phoff + 56 * phnum]) if s[0] == 1]
main = max(loads, key=lambda s: s[5])
memory = data[main[2]:main[2] + main[5]]
with open(sys.argv[3], 'wb') as out:
    out.write(memory)
with open(sys.argv[2], 'wb') as out:
    out.write(data[:32] + struct.pack('<QQIHHHHHH', 64, 0, 0, 64, 56, 16, 0, 0, 0))
    for i in range(16):
        out.write(struct.pack('<IIQQQQQQ', 1, 7, 4096 + i * len(memory), 0, main[4] + i * (64 << 30), len(memory), len(memory), 0))
    out.write(bytes(4096 - 64 - 56 * 16))
    for i in range(16):
        out.write(memory)
END

# cpu FILE: the least of five runs, in milliseconds; the first fills the page cache
cpu() {
	local least=
	cat "$1" >/dev/null
	for _ in 1 2 3 4 5; do
		/usr/bin/time -f '%U %S %M' -o "$dir/time" "$ringtail" flight extract "$1" -n -q
		least=$(awk -v least="${least:-999999}" '{ ms = ($1 + $2) * 1000; printf "%d", ms < least ? ms : least }' "$dir/time")
	done
	echo "$least"
}
unpack() { # FILE
	for _ in 1 2 3 4 5; do build/bench/dump_unpack "$1" 2>/dev/null; done | sort -n | head -n 1
}

bytes=$(stat -c %s "$dir/large")
ms=$(cpu "$dir/large")
bench flight_elf_gb_per_second "$(awk -v b="$bytes" -v t="$ms" 'BEGIN { printf "%.2f", b / t / 1e6 }')" '>=' 1
bench flight_elf_memory_mb "$(awk '{ printf "%d", $3 / 1024 }' "$dir/time")" '<' 100
# A raw image has no header: the whole file is searched once more, for addresses.
bench flight_raw_gb_per_second "$(awk -v b="$(stat -c %s "$dir/raw")" -v t="$(cpu "$dir/raw")" 'BEGIN { printf "%.2f", b / t / 1e6 }')" '>=' 1
bench flight_raw_memory_mb "$(awk '{ printf "%d", $3 / 1024 }' "$dir/time")" '<' 100
for how in zlib zstd; do
	bench "flight_${how}_of_unpacking" "$(ratio "$(unpack "$dir/$how")" "$(cpu "$dir/$how")")" '>=' 0.8
done

# The rings of the recording have room for all events, and its program is stopped: nobody reads either of them.
# shellcheck disable=SC2016 # for the guest's shell
out=$(scripts/vm run "$kernel" --icount --smp 1 -- 'insmod /rt/ringtail.ko && insmod /rt/modules/rt_play.ko || exit
	case $(uname -m) in aarch64) first=%x0 ;; *) first=%di ;; esac
	number() { from=$(rt-clock); echo number 100000 >/proc/rt_play; echo "$1 $from $(rt-clock)"; }
	number warm
	number nothing
	ringtail flight start -q -e "kprobe:rt_play_number a=$first:s64" --size 128K
	number warm
	number overwrite
	ringtail flight status
	ringtail flight stop -q
	ringtail record -q -a -m 8M -e "kprobe:rt_play_number a=$first:s64" -o /tmp/x.data & agent=$!
	sleep 5
	kill -STOP $agent
	number warm
	number discard
	kill -CONT $agent
	kill -INT $agent
	wait $agent')
each() { awk -v who="$1" '$1 == "nothing" { none = $3 - $2 } $1 == who { all = $3 - $2 } END { printf "%.1f", (all - none) * 1e9 / 100000 }' <<<"$out"; }
echo "guest instructions for one event: overwrite $(each overwrite), discard $(each discard)"
bench flight_overwrite_of_discard "$(ratio "$(each overwrite)" "$(each discard)")" '<=' 1.05
