#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# What we tell of a running process is what perf tells of it: the same records with
# the same content, for a process with threads, libraries and a vdso.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/lib/tap.sh"
scenes=$top/build/san/unit/writer_scenes
[ -x "$scenes" ] || make -s -C "$top" SAN=1 build/san/unit/writer_scenes >&2 || exit 1

export ASAN_OPTIONS=detect_leaks=0 # the unit tests look for leaks
work=$(mktemp -d)
target=
trap 'rm -rf "$work"; [ -z "$target" ] || kill $target' EXIT
cd "$work" || exit 1

perl -e 'use threads; threads->create(sub { sleep 600 }) for 1 .. 3; open(F, ">ready"); sleep 600' &
target=$!
until [ -e ready ]; do sleep 0.1; done

# The records about the target without their place in the file, sorted: perf's order of threads
# is that of the directory, like ours, but nobody promises it.
dump() { perf script -D -i "$1" 2>/dev/null | sed -n 's/.*: \(PERF_RECORD_\(FORK\|COMM\|MMAP2\).*\)/\1/p' | grep -w "$target" | sort; }

perf record -q -e dummy -a -o theirs.data -- true 2>/dev/null
RT_PID=$target "$scenes" process ours.data
theirs=$(dump theirs.data)
ok "perf tells of threads and maps" test "$(grep -c COMM <<<"$theirs")" = 4 -a "$(grep -c MMAP2 <<<"$theirs")" -gt 4 || diag "$theirs"
is "$(dump ours.data)" "$theirs" "we tell the same"
like "$(dump ours.data)" 'MMAP2 .* r-xp .*libc' "the C library among it"

# The facts of the machine, in the words perf has for them.
facts() { perf script --header-only -i "$1" 2>/dev/null | grep -E "^# ($2) :"; }
for fact in hostname 'os release' arch 'nrcpus online' cpuid 'total memory'; do
	is "$(facts ours.data "$fact")" "$(facts theirs.data "$fact")" "the same $fact"
done

# Each mapped file is in the table of build-ids, under the very name of its map.
maps=$(dump ours.data | sed -n 's/.*r-xp \(\/.*\)/\1/p' | sort -u)
is "$(perf buildid-list -i ours.data | sed -n 's/^[0-9a-f]* \(\/.*\)/\1/p' | sort -u)" "$maps" "each mapped file has its build-id"
while read -r file; do
	like "$(perf buildid-list -i ours.data)" "^$(readelf -n "$file" | sed -n 's/.*Build ID: //p') $file\$" "the right one: $file"
done <<<"$maps"
done_testing
