#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# script -D byte for byte as perf prints it, over recordings of many kinds, and of the
# same recordings in the other byte order.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/lib/tap.sh"
. "$top/tests/host/lib/perfdata-record.sh"
rt=$top/build/san/ringtail
# Looking for leaks at each exit takes seconds; the unit tests do it.
export ASAN_OPTIONS=detect_leaks=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

show() { diff want got | head -n 6 | while read -r line; do diag "$line"; done; }

# The records alone, without what script prints of each sample below it.
records() { awk '/^0x[0-9a-f]+@/ { keep = 1 } /^ \.\.\. thread:/ { keep = 0 } keep && NF'; }

perfdata_record .
for f in *.data; do
	perf script -D -i "$f" 2>/dev/null | perfdata_plain >want
	"$rt" script --compat -D -i "$f" >got 2>err
	is $? 0 "$f: script -D ends well" || diag "$(cat err)"
	case $f in
	clock.data | several.data | group.data | pipe-zstd.data | clockid.data) ;;
	*) for text in want got; do records <$text >records && mv records $text; done ;;
	esac
	[ "$(grep -c PERF_RECORD_ want)" -gt 5 ] && cmp -s want got
	tap_point $? "$f: script -D prints what perf does ($(wc -l <got) lines)" || show
done

# Of a file in the other byte order the hex lines are of swapped bytes; without them
# its dump is that of the original.
decoded() { # FILE: from a dump on standard input
	grep -av '^\.  [0-9a-f]*:' | sed "s,@$1 ,@FILE ,"
}

for name in clock chain several group addresses sideband read registers clockid buildids breakpoint; do
	[ -e $name.data ] || continue
	ok "$name: made big-endian" python3 "$top/tests/host/lib/perfdata-swap.py" $name.data $name.be
	perf script -D -i $name.data 2>/dev/null | records | decoded $name.data >want
	"$rt" script -D -i $name.be 2>err | records | decoded $name.be >got
	[ -s want ] && cmp -s want got
	tap_point $? "$name, big-endian: every record decodes to the same" || {
		show
		diag "$(cat err)"
	}
	for o in -v -g; do
		is "$("$rt" evlist $o -i $name.be)" "$(perf evlist $o -i $name.data)" "$name, big-endian: evlist $o"
	done
	is "$("$rt" script --header-only -I -i $name.be | grep -v captured)" \
		"$(perf script --header-only -I -i $name.data 2>/dev/null | grep -v captured)" "$name, big-endian: header"
	is "$("$rt" buildid-list -i $name.be)" "$(perf buildid-list -i $name.data)" "$name, big-endian: build-ids"
	for o in '' '-F comm,pid,tid,time,event,ip,sym,symoff,dso' '-F +misc --ns --show-mmap-events --show-task-events'; do
		# shellcheck disable=SC2086 # the options are words
		perf script -i $name.data $o 2>/dev/null | perfdata_plain >want
		# shellcheck disable=SC2086
		"$rt" script --compat -q -i $name.be $o >got 2>err
		[ -s want ] && cmp -s want got
		tap_point $? "$name, big-endian: script $o prints what perf does of the original" || {
			show
			diag "$(cat err)"
		}
	done
	# And what perf itself makes of it, where it reads such files right: it forgets to swap
	# the ids behind SWITCH records, some masks and clocks (docs/perf-differences.md).
	case $name in several | sideband) continue ;; esac
	perf script -i $name.be 2>/dev/null | perfdata_plain >want
	"$rt" script --compat -q -i $name.be >got 2>err
	[ -s want ] && cmp -s want got
	tap_point $? "$name, big-endian: script, as perf reads it" || show
	is "$("$rt" buildid-list -i $name.be)" "$(perf buildid-list -i $name.be 2>/dev/null)" "$name, big-endian: build-ids, as perf reads them"
	case $name in registers | clockid) continue ;; esac
	is "$("$rt" evlist -v -i $name.be)" "$(perf evlist -v -i $name.be 2>/dev/null)" "$name, big-endian: evlist -v, as perf reads it"
done

# A recording cut off: all that is whole is printed, then the offset is named.
size=$(stat -c %s chain.data)
"$rt" script --compat -D -i chain.data >whole 2>/dev/null
head -c $((size / 2)) chain.data >cut.data
"$rt" script --compat -D -i cut.data >got 2>err
is $? 1 "a cut file gives an exit status of 1"
like "$(cat err)" 'cut\.data.*offset 0x[0-9a-f]+' "and the offset where it ends"
is "$(grep -c PERF_RECORD_SAMPLE got)" "$(awk -v end=$((size / 2)) '
	function number(hex,   i, n) {
		for (i = 3; i <= length(hex); i++) n = 16 * n + index("0123456789abcdef", substr(hex, i, 1)) - 1
		return n
	}
	/^0x[0-9a-f]+@.*event: 9$/ {
		sub("@.*", "", $1); gsub(/[^0-9a-fx]/, "", $2)
		if (number($1) + number($2) <= end) n++
	}
	END { print n + 0 }' whole)" "with every sample that is whole"
done_testing
