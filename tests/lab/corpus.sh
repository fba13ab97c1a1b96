#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Recordings that tests keep: one that lacks what the tests look for is made again, not kept.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/host/lib/corpus.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
perf record -q -e page-faults -c 1 -g -o "$work/good.data" -- ls / >/dev/null 2>"$work/err" || {
	cat "$work/err"
	exit 1
}
samples=$(perf script -i "$work/good.data" -F event 2>/dev/null | grep -c page-faults)

ok "a whole recording is kept ($samples samples)" corpus_whole "$work/good.data" "$samples" 'MMAP2.*/ls'
fails "one with a sample too few is not" corpus_whole "$work/good.data" $((samples + 1)) 'MMAP2.*/ls'
fails "nor one without the line that a test looks for" corpus_whole "$work/good.data" 1 'no such line'
head -c 300 "$work/good.data" >"$work/cut.data"
fails "nor one that perf cannot read" corpus_whole "$work/cut.data" 1 ls

# A recorder that succeeds at its third try.
third() { echo >>"$work/tries"; [ "$(wc -l <"$work/tries")" = 3 ]; }
ok "a recording is made again until it is whole" corpus_try third
is "$(wc -l <"$work/tries")" 3 "and not once more"
fails "but not for ever" corpus_try false

done_testing
