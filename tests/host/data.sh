#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# ringtail data on the host: its input stays, and what it says when something is wrong.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/lib/tap.sh"
rt=$top/build/san/ringtail
made=$top/build/san/unit/raw_expand
[ -x "$made" ] || make -s -C "$top" SAN=1 build/san/unit/raw_expand >&2 || exit 1

export ASAN_OPTIONS=detect_leaks=0 # the unit tests look for leaks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir raw
"$made" raw || exit 1

# refused REGEX WORD…: status 1, one line.
refused() {
	local want=$1 said status
	shift
	said=$("$rt" data "$@" 2>&1 </dev/null)
	status=$?
	is "$status $(printf '%s\n' "$said" | wc -l)" "1 1" "refused, in one line: data $*"
	like "$said" "$want" "and says why" || diag "$said"
}

# --- the input stays ---------------------------------------------------------------

cp raw/plain perf.data
ok "the file may be its own output" "$rt" data -q perf.data
ok "it is kept as .old" cmp perf.data.old raw/plain
cp perf.data expanded
refused "perf.data.old would be replaced by an existing perf.data.* -o" perf.data.old
refused "perf.data.old would be replaced" ./perf.data.old -o "$work/perf.data"
ln -s perf.data link.data
refused "perf.data.old would be replaced" perf.data.old -o link.data
ln -s perf.data.old other
refused "other would be replaced" other
ok "the raw recording is still there" cmp perf.data.old raw/plain
ok "and the other file" cmp perf.data expanded
ok "to another name it goes" "$rt" data -q perf.data.old -o new.data
rm perf.data
refused "perf.data.old would be replaced" perf.data.old
refused "perf.data.old would be replaced" "$work/perf.data.old" -o ./perf.data
ok "another recorder may write that file meanwhile: nothing is written" test ! -e perf.data
ok "the raw recording is still there" cmp perf.data.old raw/plain

# --- other commands ----------------------------------------------------------------

touch -d '2020-02-03 04:05:06' raw/plain
"$rt" report --header -i raw/plain >header 2>/dev/null
like "$(grep 'captured on' header)" "Feb +3 04:05:06 2020" "a raw recording was captured when it was written, not when it is read"

# without_room WORD…: the command cannot write a byte into a file.
without_room() { (trap '' XFSZ && ulimit -f 0 && "$rt" "$@" 2>&1) | cat; }
"$rt" data -q raw/ids -o ids.data
for words in evlist "evlist --trace-fields" buildid-list; do
	# shellcheck disable=SC2086 # words
	is "$(without_room $words -i raw/ids)" "$("$rt" $words -i ids.data)" "$words does not expand it"
done
like "$(without_room script --header-only -i raw/ids)" '# event : name = probe:x' "nor script --header-only"
like "$(without_room report --header-only -i raw/ids)" '# event : name = probe:x' "nor report --header-only"
like "$(without_room script -i raw/ids)" 'cannot expand raw/ids into a file in .*: File too large; set TMPDIR' "script does, and says where"

# --- messages ----------------------------------------------------------------------

refused 'cannot open nothing: no such file.*name it with -i$' nothing
said=$("$rt" data expande 2>&1)
like "$said" "did you mean '-i expanded'" "a file of nearly that name is offered"
refused 'cannot open no/such/file for writing: No such file or directory$' raw/plain -o no/such/file
refused_small() { (trap '' XFSZ && ulimit -f 60 && "$rt" data raw/plain -o small.data 2>&1); }
like "$(refused_small)" 'cannot (write|expand .* into) small.data: File too large' "no room: the message names the file"
is "$(ls small* 2>/dev/null)" "" "and nothing is left"
refused 'raw is a directory, not a recording' raw
refused 'expanded is not a raw recording' expanded -o x.data

like "$("$rt" script -i - <raw/plain 2>&1)" 'is a raw recording.*use -i FILE$' "a raw recording as standard input"
# shellcheck disable=SC2002 # a pipe
like "$(cat raw/plain | "$rt" data /dev/stdin -o x.data 2>&1)" 'carries a raw recording.*save it to a file first$' "or through a pipe"

size=$(od -A n -t u8 -j 40 -N 16 raw/ids | awk '{ print $1 + $2 }') # of the front and the records
head -c "$size" raw/ids >cut.data
like "$("$rt" buildid-list -i cut.data 2>&1)" 'cut.data: some build-ids .* may be missing' "build-ids that were cut off"
is "$("$rt" buildid-list -i cut.data 2>/dev/null)" "$("$rt" buildid-list -i raw/ids)" "those of a checkpoint are there"

# The last note says that five events are missing, as on a full disk.
at=$(grep -abo RINGNOTE raw/plain | tail -n 1 | cut -d : -f 1)
cp raw/plain missing
printf '\005' | dd of=missing bs=1 seek=$((at + 40)) conv=notrunc 2>/dev/null
is "$("$rt" data missing -o made.data 2>&1 | grep -v expanded)" \
	"ringtail: warning: data: 5 events of missing are not in made.data" "events that are missing are told of once"
is "$("$rt" script -i missing 2>&1 >/dev/null | grep -c '5 events are not in the file')" 1 "and once by script"
done_testing
