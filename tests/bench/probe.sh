#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# probe - `ringtail probe -n` against `perf probe -n` with the debug information of Debian's 6.1 for this
# architecture, which need not run: time and memory for a function, an inlined function and lines, without and with
# what an earlier scan kept; the reader of BTF against libbpf's; the list of functions; a thousand
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

cat "$vmlinux" >/dev/null # both read from memory

ours() { HOME=$home "$ringtail" probe -k "$vmlinux" "$@"; }
forget() { rm -rf "$home/.cache"; }

# clocked COMMAND…: seconds of processors, seconds that went by, kilobytes.
clocked() {
	/usr/bin/time -o "$dir/probe-time" -f '%U %S %e %M' "$@" >"$dir/probe.out" || rt_die "failed: $*"
	awk '{ printf "%.2f %.2f %d\n", $1 + $2, $3, $4 }' "$dir/probe-time"
}
least() { sort -n -k "$1" | awk -v n="$1" 'NR == 1 { print $n }'; } # COLUMN
most() { sort -n -k "$1" | awk -v n="$1" 'END { print $n }'; }

# -D does what -n does but for looking at the running kernel's list of probes.
their_command=(perf probe -q -k "$vmlinux")
our_command=(env "HOME=$home" "$ringtail" probe -k "$vmlinux")

# against NAME POINT: seconds of processors into $perf, $cold and $warm, the time that went by into $perf_elapsed and
# $elapsed.
against() {
	local i
	rm -f "$dir"/probe-{perf,cold,warm}
	for ((i = 0; i < times; i++)); do
		clocked "${their_command[@]}" -D "$2" >>"$dir/probe-perf"
		forget
		clocked "${our_command[@]}" -n "$2" >>"$dir/probe-cold"
		clocked "${our_command[@]}" -n "$2" >>"$dir/probe-warm"
	done
	perf=$(least 1 <"$dir/probe-perf") cold=$(least 1 <"$dir/probe-cold") warm=$(least 1 <"$dir/probe-warm")
	perf_elapsed=$(least 2 <"$dir/probe-perf") elapsed=$(least 2 <"$dir/probe-cold")
	memory=$(most 3 <"$dir/probe-cold")
	echo "$1, '$2', $(grep -c '  address:' "$dir/probe.out") places:" \
		"perf $perf s of processors, $perf_elapsed s, $(most 3 <"$dir/probe-perf") kB;" \
		"ringtail $cold s, $elapsed s, $memory kB; again $warm s, $(most 3 <"$dir/probe-warm") kB"
	bench "probe.$1.memory" "$(ratio "$memory" "$(most 3 <"$dir/probe-perf")")" '<=' 0.25
}

against function 'vfs_read count file'
bench probe.function.cold "$(ratio "$cold" "$perf")" '<=' 0.2

# Threads scan: the time that goes by counts.
against inlined fdget_pos
bench probe.inlined.cold "$(ratio "$elapsed" "$perf_elapsed")" '<=' 1
bench probe.inlined.warm "$(ratio "$warm" "$perf")" '<=' 0.05
against header mm/slab.h:700
bench probe.header.cold "$(ratio "$elapsed" "$perf_elapsed")" '<=' 1
bench probe.header.warm "$(ratio "$warm" "$perf")" '<=' 0.05
# A line in the body of vfs_read(), found through its unit without a scan.  perf refuses lines whose address belongs to
# another line, too.
for line in $(ours -L vfs_read | sed -n '1s/.*:\([0-9]*\)>$/\1/p; s/^ *\([0-9]\+\)  .*/\1/p' | awk 'NR == 1 { first = $1 } NR > 1 && $1 > 2 { print first + $1 }'); do
	! "${their_command[@]}" -D "fs/read_write.c:$line" >/dev/null 2>&1 || break
done
against line "fs/read_write.c:$line"
bench probe.line.cold "$(ratio "$elapsed" "$perf_elapsed")" '<=' 1
bench probe.line.warm "$(ratio "$warm" "$perf")" '<=' 0.05

# --- the list of functions, many definitions, BTF -----------------------------------------

rm -f "$dir"/probe-{perf,cold}
for ((i = 0; i < times; i++)); do
	clocked "${their_command[@]}" -F >>"$dir/probe-perf"
	clocked "${our_command[@]}" -F >>"$dir/probe-cold"
done
perf=$(least 1 <"$dir/probe-perf") cold=$(least 1 <"$dir/probe-cold")
echo "-F, $(wc -l <"$dir/probe.out") functions: perf $perf s, ringtail $cold s"
bench probe.functions "$(ratio "$cold" "$perf")" '<=' 1

objcopy --dump-section .BTF="$dir/btf" "$vmlinux" /dev/null 2>/dev/null
# Functions that BTF describes: those that need debug information pay for opening it once, too.
ours -F | grep -v '\.' | awk -v seed=1 'BEGIN { srand(seed) } { print rand(), $1 " $params" }' | sort | cut -d ' ' -f 2- |
	head -n 3000 >"$dir/probe-definitions"
"$ringtail" probe -k "$dir/btf" --check "$dir/probe-definitions" 2>/dev/null | sed -n 's/^works  //p' | head -n 1000 >"$dir/probe-thousand" || true
# Some of these are not in BTF: debug information is opened for them, once.
ours --check "$dir/probe-definitions" 2>/dev/null | sed -n 's/^works  //p' | head -n 1000 >"$dir/probe-mixed" || true

# spent COMMAND…: milliseconds of processors; time(1) counts in steps of ten.
spent() {
	perf stat -x , -e task-clock -o "$dir/probe-time" "$@" >/dev/null 2>&1 || rt_die "failed: $*"
	awk -F , '/task-clock/ { print $1 }' "$dir/probe-time"
}

# many NAME FILE: all definitions of FILE in one call against the first of them.
many() {
	local definition i one all arguments=()
	while read -r definition; do arguments+=(--add "$definition"); done <"$2"
	rm -f "$dir"/probe-{one,many}
	for ((i = 0; i < 3 * times; i++)); do
		spent "${our_command[@]}" -n "${arguments[@]:0:2}" >>"$dir/probe-one"
		spent "${our_command[@]}" -n "${arguments[@]}" >>"$dir/probe-many"
	done
	one=$(least 1 <"$dir/probe-one") all=$(least 1 <"$dir/probe-many")
	echo "$(wc -l <"$2") definitions in one call, $1: $all ms; one: $one ms"
	bench "probe.$1-of-one" "$(ratio "$all" "$one")" '<=' 3
}
many thousand "$dir/probe-thousand"
many mixed "$dir/probe-mixed"

make -s build/bench/btf_parse
read -r perf cold <<<"$("$dir/btf_parse" "$dir/btf")"
echo "BTF, $(stat -c %s "$dir/btf") bytes: libbpf $perf s, ringtail $cold s"
bench probe.btf-of-libbpf "$(ratio "$cold" "$perf")" '<=' 3
