#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# A recording that is killed at any moment is a file that perf opens without a word,
# with every round up to the last checkpoint and nothing twice: kills at random, and the file as
# it is after each write and in the middle of it, also (with --all) in the oldest perf and the newest.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/lib/tap.sh"
scenes=$top/build/san/unit/writer_scenes
prefixes=$top/build/san/unit/writer_prefixes
[ -x "$scenes" ] && [ -x "$prefixes" ] || make -s -C "$top" SAN=1 build/san/unit/writer_scenes build/san/unit/writer_prefixes >&2 || exit 1

export ASAN_OPTIONS=detect_leaks=0 # the unit tests look for leaks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
times=8
[ "${RT_LEVEL:-default}" = default ] || times=50

for ((n = 1; n <= times; n++)); do
	rm -f perf.data
	"$scenes" endless perf.data &
	until [ "$(stat -c %s perf.data 2>/dev/null || echo 0)" -gt 100000 ]; do sleep 0.01; done # the first checkpoint
	sleep "0.$((RANDOM % 600 + 100))"
	kill -9 $!
	wait $! 2>/dev/null
	perf script -F trace:event,trace -i perf.data >lines 2>stderr
	ok "kill $n: perf opens the file without a word" test $? = 0 -a ! -s stderr || diag "$(head -n 3 stderr)"
	count=$(grep -c probe:many lines)
	ok "kill $n: whole rounds ($count samples)" test "$count" -gt 0 -a $((count % 100)) = 0
	is "$(sed -n 's/.*probe:many:.* ret=-*//p' lines)" "$(seq 0 $((count - 1)))" "kill $n: each sample once, in order"
done

perfs=(perf)
if [ "${RT_LEVEL:-default}" != default ]; then
	"$top/scripts/lab/perfs.sh" 5.10 newest >readers || exit
	mapfile -t -O 1 perfs <readers
fi
for kind in traced plain; do
	rm -rf moments && mkdir moments
	"$prefixes" $kind moments >/dev/null
	ok "$kind: there are moments" test "$(find moments -name '*.data' | wc -l)" -gt 20
	for perf in "${perfs[@]}"; do
		bad=0 most=0
		for file in moments/*.data; do
			count=$("$perf" script -i "$file" 2>stderr | grep -c .)
			if [ -s stderr ] || [ $((count % 40)) != 0 ] || [ "$count" -lt "$most" ]; then
				bad=$((bad + 1))
				diag "$file: $count samples; $(head -n 1 stderr)"
			fi
			most=$count
		done
		is "$bad $most" "0 200" "$kind: $($perf --version) opens each, with whole rounds"
	done
done
done_testing
