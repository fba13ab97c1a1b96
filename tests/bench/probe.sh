#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# probe - `ringtail probe -n` against `perf probe -n` with the debug information of Debian's 6.1 for this
# architecture, which need not run: elapsed time and memory for a function, an inlined function and lines, without
# and with what an earlier scan kept; the reader of BTF against libbpf's; the list of functions; a thousand
# definitions in one call.  Both programs in turns, the best of each counts.

set -eu
. "$(dirname "$0")/../../scripts/lib/setup.sh"
. "$RT_TOP/scripts/lib/bench.sh"
cd "$RT_TOP"
rt_need bench unit

case $(uname -m) in
aarch64) kernel=6.1-arm64 ;;
*) kernel=6.1-x86_64 ;;
esac
vmlinux=${RT_BENCH_VMLINUX:-$(scripts/vm debuginfo $kernel)}
make -s
ringtail=$RT_TOP/build/ringtail
dir=$RT_TOP/build/bench
mkdir -p "$dir"
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
times=${RT_BENCH_TIMES:-3}
mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing

cat "$vmlinux" >/dev/null # both read from memory

theirs() { perf probe -q -k "$vmlinux" --ignore-vmlinux-buildid "$@"; }
ours() { HOME=$home "$ringtail" probe -k "$vmlinux" "$@"; }
forget() { rm -rf "$home/.cache"; }

# clocked COMMAND…: its seconds and kilobytes.
clocked() {
	local from=$EPOCHREALTIME kilobytes
	if ! kilobytes=$( { /usr/bin/time -f %M "$@" >"$dir/probe.out"; } 2>&1); then
		rt_die "failed: $*: $kilobytes"
	fi
	awk -v a="$from" -v b="$EPOCHREALTIME" -v m="$(tail -n 1 <<<"$kilobytes")" 'BEGIN { printf "%.6f %d\n", b - a, m }'
}
least() { sort -n | head -n 1; }
most() { awk '$2 > m { m = $2 } END { print m }'; }
first() { cut -d ' ' -f 1; }

their_command=(perf probe -q -k "$vmlinux" --ignore-vmlinux-buildid)
our_command=(env "HOME=$home" "$ringtail" probe -k "$vmlinux")

# against NAME DEFINITION: seconds into $perf, $cold and $warm, kilobytes into $perf_memory, $memory and $warm_memory.
against() {
	local i
	rm -f "$dir"/probe-{perf,cold,warm}
	for ((i = 0; i < times; i++)); do
		clocked "${their_command[@]}" -n "$2" >>"$dir/probe-perf"
		forget
		clocked "${our_command[@]}" -n "$2" >>"$dir/probe-cold"
		clocked "${our_command[@]}" -n "$2" >>"$dir/probe-warm"
	done
	perf=$(least <"$dir/probe-perf" | first) cold=$(least <"$dir/probe-cold" | first) warm=$(least <"$dir/probe-warm" | first)
	perf_memory=$(most <"$dir/probe-perf") memory=$(most <"$dir/probe-cold") warm_memory=$(most <"$dir/probe-warm")
	echo "$1, '$2', $(grep -c '  address:' "$dir/probe.out") places:" \
		"perf $perf s, $perf_memory kB; ringtail $cold s, $memory kB; again $warm s, $warm_memory kB"
	bench "probe.$1.memory" "$(ratio "$memory" "$perf_memory")" '<=' 0.25
}

against function 'vfs_read count file'
bench probe.function.cold "$(ratio "$cold" "$perf")" '<=' 0.2
one=$cold

# A line of a function's body, and one of a function that is inlined into many files.
line=$(ours -L vfs_read | awk 'NR > 3 && $1 ~ /^[0-9]+$/ { print $1; exit }')
file=$(ours -L vfs_read | sed -n '1s/.*@\(.*\):\([0-9]*\)>.*/\1 \2/p')
read -r path declared <<<"$file"
against inlined 'get_current'
bench probe.inlined.cold "$(ratio "$cold" "$perf")" '<=' 1
bench probe.inlined.warm "$(ratio "$warm" "$perf")" '<=' 0.05
against line "${path##*/fs/}:$((declared + line))"
bench probe.line.cold "$(ratio "$cold" "$perf")" '<=' 1
bench probe.line.warm "$(ratio "$warm" "$perf")" '<=' 0.05

# --- the list of functions, many definitions, BTF -----------------------------------------

rm -f "$dir"/probe-{perf,cold}
for ((i = 0; i < times; i++)); do
	clocked "${their_command[@]}" -F >>"$dir/probe-perf"
	clocked "${our_command[@]}" -F >>"$dir/probe-cold"
done
perf=$(least <"$dir/probe-perf" | first) cold=$(least <"$dir/probe-cold" | first)
echo "-F, $(wc -l <"$dir/probe.out") functions: perf $perf s, ringtail $cold s"
bench probe.functions "$(ratio "$cold" "$perf")" '<=' 1

ours -F | grep -v '\.' | awk -v seed=1 'BEGIN { srand(seed) } { print rand(), $1 " $params" }' | sort | cut -d ' ' -f 2- |
	head -n 3000 >"$dir/probe-definitions"
ours --check "$dir/probe-definitions" 2>/dev/null | sed -n 's/^works  //p' | head -n 1000 >"$dir/probe-thousand" || true
many=()
while read -r definition; do many+=(--add "$definition"); done <"$dir/probe-thousand"
rm -f "$dir"/probe-{one,many}
for ((i = 0; i < times; i++)); do
	clocked "${our_command[@]}" -n "${many[@]:0:2}" >>"$dir/probe-one"
	clocked "${our_command[@]}" -n "${many[@]}" >>"$dir/probe-many"
done
one=$(least <"$dir/probe-one" | first) all=$(least <"$dir/probe-many" | first)
echo "$(wc -l <"$dir/probe-thousand") definitions in one call: $all s; one: $one s"
bench probe.thousand-of-one "$(ratio "$all" "$one")" '<=' 3

objcopy -O binary --only-section=.BTF --set-section-flags .BTF=alloc "$vmlinux" "$dir/btf"
make -s build/bench/btf_parse
read -r perf cold <<<"$("$dir/btf_parse" "$dir/btf")"
echo "BTF, $(stat -c %s "$dir/btf") bytes: libbpf $perf s, ringtail $cold s"
bench probe.btf-of-libbpf "$(ratio "$cold" "$perf")" '<=' 3
