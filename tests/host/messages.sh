#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Mistakes in the use of all commands, by a table (lib/messages.txt): each is answered with one line on standard
# error, which says what is wrong, and with the right status; nothing is left behind.  A sanitizer's report is a
# second line.  By default every fourth row is tried, with --all each.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck disable=SC2034 # of command.sh
command=messages
. tests/host/lib/command.sh
ringtail=$(realpath "$ringtail")
table=$PWD/tests/host/lib/messages.txt
export ASAN_OPTIONS=detect_leaks=0

mkdir "$dir/at"
cd "$dir/at" || exit 1
ln -s "$corpus/clock.data" plain.data
ln -s "$corpus/stacks.data" stacks.data
ln -s "$corpus/processes.data" all.data
ln -s "$corpus/trace.data" trace.data
ln -s "$corpus/work" work
left=$(ls)

step=4
[ "${RT_LEVEL:-}" != all ] || step=1
row=0
while IFS='|' read -r want regex words; do
	case $want in '#'*) continue ;; esac
	row=$((row + 1))
	[ $((row % step)) = 0 ] || continue
	eval "set -- $words"
	timeout 60 "$ringtail" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
	# What a picture or table has beside a warning.
	said=$(grep -v '^wrote ' "$dir/err")
	if [ $status = "$want" ] && [[ $said =~ ^ringtail:\ $regex ]] && [ "$(printf '%s\n' "$said" | wc -l)" = 1 ] &&
		[ "$(ls)" = "$left" ]; then
		ok "$words" true
	else
		ok "$words" false
		diag "status $status, expected $want and /$regex/: $said; files: $(ls | tr '\n' ' ')"
	fi
done <"$table"
ok "rows were tried ($row)" test $row -ge 150
done_testing
