#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# diff - `ringtail diff` prints what the host's `perf diff` prints, byte for byte except for the order of
# lines with equal numbers, and reads damaged files without harm.

set -u
cd "$(dirname "$0")/../.." || exit 1
command='diff'
. tests/host/lib/command.sh
ringtail=$(realpath "$ringtail")
lib=$PWD/tests/host/lib
cd "$corpus" || exit 1

normal() { perl "$lib/diff-normal.pl"; }

same_diff() { # OPTION… FILE…
	local perf own
	perf diff "$@" >"$dir/perf.text" 2>"$dir/perf.err"
	perf=$?
	"$ringtail" diff --compat "$@" >"$dir/ringtail.text" 2>"$dir/ringtail.err"
	own=$?
	normal <"$dir/perf.text" >"$dir/perf"
	normal <"$dir/ringtail.text" >"$dir/ringtail"
	same_text "$*" "$dir" $perf $own
}

same_diff stacks.data execs.data
for options in '-c ratio' '-c wdiff:1,2' '-c delta' '-o 0' '-s sym' '-s comm' '-s pid' '-C work' '-d work' '-S leaf' '-t,' '-q' \
	'-p -c ratio -F' '-c wdiff:2,1 -F' '-c delta -b -s comm,dso'; do
	# shellcheck disable=SC2086 # words
	same_diff $options stacks.data zstd.data
done
same_diff -p -F stacks.data zstd.data execs.data
same_diff -o 2 stacks.data zstd.data execs.data
same_diff software.data software.data
same_diff software.data clock.data
same_diff trace.data trace-stacks.data

# Each event is compared with the event of the same name, also if another one has the same attributes.
"$ringtail" diff mixed.data mixed.data >"$dir/out" 2>/dev/null
is "$(grep '%' "$dir/out" | grep -vc '+0.00%')" 0 "a recording does not differ from itself"

bad=0
size=$(stat -c %s stacks.data)
for at in $(seq 0 $((size / 11)) "$size"); do
	head -c "$at" stacks.data >"$dir/cut.data"
	timeout 60 "$ringtail" diff stacks.data "$dir/cut.data" >"$dir/out" 2>"$dir/err"
	status=$?
	[ $status -le 1 ] || { bad=$((bad + 1)); diag "cut at $at: status $status"; sed 's/^/# /' "$dir/err" | head -n 3; }
	[ $status = 0 ] || [ -s "$dir/err" ] || { bad=$((bad + 1)); diag "cut at $at: no word"; }
done
is "$bad" 0 "a file cut at eleven places never crashes, and always says why it stopped"

refused 2 "-c: 'more' is unknown" -c more stacks.data zstd.data
refused 2 'is unknown' -c wdiff:1 stacks.data zstd.data
refused 1 'no such file' stacks.data "$dir/none.data"
refused 1 'is no sort key' -s nonsense stacks.data zstd.data

done_testing
