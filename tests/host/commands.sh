#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Commands, options and files that do not exist: what is said, and what is suggested.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/lib/tap.sh"
rt=$top/build/san/ringtail
export ASAN_OPTIONS=detect_leaks=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

refused() { # STATUS REGEX WORD…
	local status=$1 want=$2
	shift 2
	said=$("$rt" "$@" 2>&1 >/dev/null </dev/null)
	is $? "$status" "$*: status"
	like "$said" "$want" "$*: with the reason"
	is "$(printf '%s\n' "$said" | wc -l)" 1 "in one line"
}

refused 2 "'recrod' is not a ringtail command.*did you mean 'record'\?" recrod
refused 2 "'scirpt' is not a ringtail command.*did you mean 'script'\?" help scirpt
refused 2 "'xyzzy' is not a ringtail command; 'ringtail help' lists them$" xyzzy
refused 2 "'timechart' is a command of perf" timechart

# Options that perf has: every one of its own list that ringtail does not take.
# A second unknown option keeps record from beginning.
for command in script record report diff; do
	count=0 unexplained=
	for option in $(perf $command -h 2>&1 | sed -n 's/^ *\(-[a-zA-Z], \)\{0,1\}\(--[a-zA-Z0-9-]*\).*/\2/p'); do
		case $("$rt" $command "$option=x" --nonsense 2>&1 </dev/null) in
		*"there is no option '--nonsense'"*) ;;
		*"perf $command has"*", because "*) count=$((count + 1)) ;;
		*"perf $command has"* | *"there is no option"*) unexplained+=" $option" ;;
		esac
	done
	is "$unexplained" "" "$command: each option of perf that ringtail does not have, with the reason ($count)"
	ok "$command: there are some" test $count -gt 3
done
refused 2 "perf report has '-v'; ringtail does not, because" report -v
refused 2 "perf report has '-D'; ringtail does not, because" report -D
refused 2 "perf script has '--itrace'; ringtail does not, because" script --itrace=i100us
refused 2 "perf script has '-s'; ringtail does not, because" script -s mine.py
refused 2 "perf record has '--off-cpu'; ringtail does not, because" record --off-cpu
refused 2 "did you mean '--fields'\?" script --feilds ip

# Files; a recording is known by its first bytes.
mkdir runs empty
printf 'PERFILE2 and no more' >report.data
printf 'PERFILE2 and no more' >runs/first.data
echo text >report.dat
refused 2 "'report.data' is no option; -i report.data reads that file" script report.data
refused 2 "to read a file use -i FILE; did you mean '-i report.data'\?" script reprot.data
refused 2 "'runs' is a directory|runs is a directory, not a recording; did you mean '-i runs/first.data'\?" script runs
refused 2 "to read a file use -i FILE$" script nothing_like_it
refused 1 "no such file.*did you mean '-i report.data'\?" script -i reprot.data
refused 1 "no such file.*did you mean '-i runs/first.data'\?" script -i runs/frist.data
refused 1 "runs is a directory, not a recording; did you mean '-i runs/first.data'\?" script -i runs
refused 1 "empty is a directory, not a recording$" script -i empty
refused 1 "no such file.*did you mean '-i report.data'\?" evlist -i report.dta
refused 1 "no such file.*did you mean '-i report.data'\?" buildid-list -i report.dta

# Markers: what a library declares, as readelf shows it.
library=$(ldd "$(command -v perf)" | sed -n 's/.*=> \(.*libstdc++\.so[^ ]*\) .*/\1/p')
[ -n "$library" ] || library=$(find /usr/lib -name 'libstdc++.so.6' | head -n 1)
is "$("$rt" list sdt "$library" | sed 's/.*:\([^:]*:[^: ]*\)  /\1 /')" \
	"$(readelf -nW "$library" | awk '/Provider: / { p = $NF } $1 == "Name:" { n = $2 }
		$1 == "Arguments:" { sub(/^ *Arguments: /, ""); print p ":" n " " $0 }')" "list sdt: every marker with its arguments"
# Where tracefs cannot be read, list says that instead.
refused 1 "no event of this machine is called 'xyzzy'|list of tracepoints cannot be read" list xyzzy
refused 2 "there is no option" list --nonsense
like "$("$rt" list sw)" "^cpu-clock +sw" "list of a kind"
like "$("$rt" list --json sw)" '^\[\{"name":"cpu-clock","kind":"sw"' "list --json"
# Without a path: what is in a usual directory, what PATH has, what runs; and where it has looked.
mkdir programs away
cp "$library" programs/one
cp "$library" away/two
ln -s one programs/same
LD_PRELOAD=$work/away/two sleep 1000 & runs=$!
until grep -q "$work/away/two" /proc/$runs/maps; do sleep 0.05; done
PATH=$work/programs:$PATH "$rt" list sdt >listed 2>said
kill $runs
wait $runs 2>/dev/null
like "$(cat listed)" "^usdt:/[a-z].*/libstdc\+\+\.so\.6[^ ]*:libstdcxx:throw" "list sdt: markers of a library"
is "$(grep -oE "^usdt:$work/.*:libstdcxx:throw " listed | sort | tr '\n' ';')" \
	"usdt:$work/away/two:libstdcxx:throw ;usdt:$work/programs/one:libstdcxx:throw ;" \
	"list sdt: of what runs and of what PATH has, each once"
like "$(cat said)" "^ringtail: list: $(wc -l <listed) markers in [0-9]+ of [0-9]+ files: libraries in the usual directories" \
	"list sdt: how much, and where it has looked"
is "$(wc -l <said)" 1 "in one line"
refused 1 "is not a program or library" list sdt report.dat
refused 1 "cannot open" list sdt nowhere

done_testing
