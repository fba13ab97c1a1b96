#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# A recording that is killed at any moment is a file that perf opens without a word,
# with every round up to the last checkpoint and nothing twice.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/lib/tap.sh"
scenes=$top/build/san/unit/writer_scenes
[ -x "$scenes" ] || make -s -C "$top" SAN=1 build/san/unit/writer_scenes >&2 || exit 1

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
done_testing
