#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# script and report of a watch: by default the code that accessed the memory, with --compat what perf prints.  The recording is the
# scene "watch" of tests/unit/writer_scenes.c: six writes by tcp_sendmsg, two by inet_sendmsg, two by that program.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/lib/tap.sh"
ringtail=$top/build/san/ringtail
scenes=$top/build/san/unit/writer_scenes
[ -x "$scenes" ] && [ -x "$ringtail" ] || make -s -C "$top" SAN=1 all build/san/unit/writer_scenes >&2 || exit 1

export ASAN_OPTIONS=detect_leaks=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export HOME=$work DEBUGINFOD_URLS='' LC_ALL=C

cat >kallsyms <<END
ffff800081000000 T _text
ffff800081000000 T tcp_sendmsg
ffff800081001000 T inet_sendmsg
ffff800081002000 T sock_sendmsg
ffff800081003000 T _etext
END
ok "a recording" "$scenes" watch watch.data

script() { "$ringtail" script -q --kallsyms kallsyms -i watch.data "$@" 2>&1; }
report() { "$ringtail" report -q --stdio --kallsyms kallsyms -i watch.data "$@" 2>&1 | grep .; }
theirs() { perf "$1" --kallsyms kallsyms -i watch.data "${@:2}" 2>/dev/null; }
in_parentheses() { sed -n 's/.*watch:jiffies: (\(.*\)) old=.*/\1/p'; }

kernel='tcp_sendmsg+0x10 tcp_sendmsg+0x10 tcp_sendmsg+0x10 inet_sendmsg+0x10'
is "$(script | in_parentheses | head -n 8 | paste -sd ' ')" "$kernel $kernel" "script: functions and offsets of the kernel"
like "$(script | in_parentheses | tail -n 1)" '^scene_leaf\+0x4 writer_scenes\.c:[0-9]+$' "a program's, with the source line"
is "$(script --full-source-path | in_parentheses | tail -n 1)" "scene_leaf+0x4 $(script -F ip,srcline --full-source-path | tail -n 1 | sed 's/^ *//')" \
	"--full-source-path: the line that -F srcline has"
is "$(script | sed 's/(.*)/()/')" "$(theirs script | sed 's/(.*)/()/')" "the rest of each line is perf's"
is "$(script --compat)" "$(theirs script)" "--compat: what perf prints"
is "$(script --kallsyms /dev/null | in_parentheses | head -n 1)" ffff800081000010 "without symbols: the address"
for threads in 1 7; do script --threads $threads | sha256sum; done >sums
is "$(sort -u sums | wc -l)" 1 "any number of threads prints the same"
is "$("$scenes" watch /dev/stdout | "$ringtail" script -q --kallsyms kallsyms -i - 2>&1 | in_parentheses | head -n 4 | paste -sd ' ')" "$kernel" "from a pipe" ||
	diag "no pipe"

script --json >json
is "$(grep -c '"trace":"([0-9a-f]*) old=0x[0-9a-f]* new=0x[0-9a-f]*","fields":{"__probe_ip":[0-9]*,"old":[0-9]*,"new":[0-9]*},"ip":"0x[0-9a-f]*","sym":"[a-z_]*","symoff":[0-9]*,"dso":' json)" 10 \
	"--json: the text as recorded, the fields, and who"
is "$(grep -c '"file":"[^"]*writer_scenes.c","line":[0-9]*}' json)" 2 "--json: the source line"
script --csv >csv
is "$(head -n 1 csv)" "comm,pid,tid,cpu,time,event,trace,ip,sym,dso,srcline,callchain,context,preempt" "--csv: the columns"
is "$(awk -F , 'NR > 1 { print NF, $9 }' csv | sort | uniq -c | awk '{ print $1, $2, $3 }' | paste -sd ,)" "2 14 inet_sendmsg+0x10,2 14 scene_leaf+0x4,6 14 tcp_sendmsg+0x10" "--csv: who"
is "$(script --csv -F comm,trace | head -n 2)" "comm,trace
alpha,(ffff800081000010) old=0x0 new=0x1" "--csv -F: only those fields"

is "$(report | awk '{ print $1, $NF }')" "60.00% tcp_sendmsg
20.00% inet_sendmsg
20.00% scene_leaf" "report: a line a function"
is "$(report -s trace)" "$(theirs report -q --stdio -s trace | grep .)" "report -s trace: a line a text"
is "$(report -s new | awk '{ print $2 }' | sort)" "$(printf "0x%x\n" 1 2 3 4 5 6 7 8 9 10 | sort)" "report -s new: the values"
is "$(report --compat)" "$(theirs report -q --stdio | grep .)" "report --compat: what perf prints"
"$ringtail" report -q --kallsyms kallsyms -i watch.data --html page.html >/dev/null 2>&1
is "$? $(grep -c tcp_sendmsg page.html | sed 's/[1-9][0-9]*/some/')" "0 some" "report --html: the functions"
done_testing
