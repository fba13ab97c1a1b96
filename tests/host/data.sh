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

# The last note says that five events are missing, as on a full disk.
at=$(grep -abo RINGNOTE raw/plain | tail -n 1 | cut -d : -f 1)
cp raw/plain missing
printf '\005' | dd of=missing bs=1 seek=$((at + 40)) conv=notrunc 2>/dev/null
is "$("$rt" data missing -o made.data 2>&1 | grep -v expanded)" \
	"ringtail: warning: data: 5 events of missing are not in made.data" "events that are missing are told of once"
is "$("$rt" script -i missing 2>&1 >/dev/null | grep -c '5 events are not in the file')" 1 "and once by script"
done_testing
