#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=400 default="@(newest-*|6.1-arm64)"
#
# What `script` and `report` say of a watch by default: who accessed the memory.  With --compat they print
# what perf does.

# shellcheck disable=SC2154 # of watch.sh
. ./lib/tap.sh
. ./lib/watch.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_watch_play.ko || exit
word=$(address word)

# The text in parentheses of each line of script; functions and offsets as in /proc/kallsyms.
named() { ringtail script -q -i $data "$@" 2>&1 | sed -n 's/.* watch:[^ ]*: (\(.*\)) addr=.*/\1/p'; }
by_kallsyms() {
	for at in $(cut -d ' ' -f 1 /tmp/raw); do
		while read -r from _ name _; do
			offset=$((0x$at - 0x$from))
			[ $offset -lt 0 ] || known="$name+$(printf '0x%x' $offset)"
		done </tmp/functions
		echo "$known"
	done
}

watch 'plain 8;widths;atomic' -e "mem:$word/8:w"
ok "some functions wrote" [ "$(cut -d ' ' -f 1 /tmp/hits | sort -u | wc -l)" -ge 3 ]
is "$(named)" "$(by_kallsyms)" "script: function and offset of each writer"
is "$(ringtail script -q --compat -i $data)" "$(perf script -i $data 2>/tmp/warnings)" "script --compat: what perf prints"
is "$(ringtail script -q -i $data | sed 's/ (.*) addr=/ addr=/')" "$(perf script -i $data 2>/tmp/warnings | sed 's/ (.*) addr=/ addr=/')" \
	"the rest of each line is perf's"
is "$(named -F comm,event,trace)" "$(by_kallsyms)" "script -F: the same"
is "$(ringtail record -q -e "mem:$word/8:w" -o - -- sh -c 'echo plain 3 >/proc/rt_watch_play' | ringtail script -q -i - |
	sed -n 's/.*(\([^+]*\)+0x.*) addr=.*/\1/p' | sort | uniq -c | sed 's/^ *//')" "3 rt_watch_plain" "script of a pipe"

# For programs: the event as it was recorded, and columns that name the function.
ringtail script -q --json -i $data >/tmp/json
is "$(sed -n 's/.*"ip":"0x\([0-9a-f]*\)".*/\1/p' /tmp/json)" "$(cut -d ' ' -f 1 /tmp/raw)" "--json: the address"
is "$(sed -n 's/.*"sym":"\([^"]*\)","symoff":\([0-9]*\).*/\1 \2/p' /tmp/json | while read -r name offset; do printf '%s+0x%x\n' "$name" "$offset"; done)" \
	"$(by_kallsyms)" "--json: function and offset"
is "$(grep -c '"trace":" *([0-9a-f]*) addr=.*"fields":{.*"old":' /tmp/json)" "$(hits)" "--json: the text and the fields as recorded"
ringtail script -q --csv -i $data >/tmp/csv
like "$(head -n 1 /tmp/csv)" ',trace,ip,sym,dso,srcline,' "--csv: the columns"
is "$(sed -n '2,$s/.*,0x[0-9a-f]*,\([^,]*+0x[0-9a-f]*\),.*/\1/p' /tmp/csv)" "$(by_kallsyms)" "--csv: function and offset"

# A line a function, with its part of the accesses.
parts() { awk -v all="$(hits)" '{ n[$1]++ } END { for (f in n) printf "%.2f%% [k] %s\n", 100 * n[f] / all, f }' /tmp/hits | sort; }
lines() { ringtail report -q --stdio -i $data 2>&1 | sed -n 's/^ *\([0-9.]*%\) .* \(\[.\]\) \([^ ]*\) *$/\1 \2 \3/p' | sort; }
is "$(lines)" "$(parts)" "report: by function"
is "$(ringtail report -q --stdio -i $data -s trace | grep -c 'addr=.* old=.* new=')" "$(sort -u /tmp/raw | wc -l)" "report -s trace: by value"
is "$(ringtail report -q --stdio --compat -i $data)" "$(perf report -q --stdio -i $data 2>/tmp/warnings)" "report --compat: what perf prints"
like "$(ringtail report -q --stdio -i $data --fields new 2>&1; ringtail report --stdio -q -i $data -s new)" '0x8' "report -s new: the values"

# With another event.
ringtail record -q -e "mem:$word/8:w" -e sched:sched_process_exec -a -o $data -- sh -c 'echo plain 8 >/proc/rt_watch_play; true'
is "$(ringtail report -q --stdio -i $data | sed -n 's/^ *\([0-9.]*%\) *\(rt_watch_[^ ]*\) *$/\1 \2/p')" "100.00% rt_watch_plain" "report, with a tracepoint beside: by function"
like "$(ringtail report -q --stdio -i $data)" 'filename=' "and the text of the tracepoint"
is "$(named | sed 's/+.*//' | sort | uniq -c | sed 's/^ *//')" "8 rt_watch_plain" "script names them there, too"

# With stacks.
ringtail record -q -g -e "mem:$word/8:w" -o $data -- sh -c 'echo plain 3 >/proc/rt_watch_play'
is "$(named | sed 's/+.*//' | sort | uniq -c | sed 's/^ *//')" "3 rt_watch_plain" "above a stack"
like "$(ringtail script -q -i $data)" '	 *[0-9a-f]* rt_watch_plain\+0x' "which is below"

# A flight.
if ringtail flight start -q writers -e "mem:$word/8:w"; then
	poke plain 5
	ringtail flight snapshot -q writers -o $data >/dev/null 2>&1
	is "$(named | sed 's/+.*//' | sort | uniq -c | sed 's/^ *//')" "5 rt_watch_plain" "a snapshot of a flight" || diag "$(ringtail script -i $data 2>&1 | head -3)"
	is "$(ringtail report -q --stdio -i $data 2>&1 | grep -c 'addr=')" 5 "its report has the values, beside the events of the flight itself"
	ringtail flight stop -q writers 2>/dev/null || ringtail flight stop writers >/dev/null
else
	ok "a flight starts" false
fi

# User code, with its debug information.
echo 0 >/proc/sys/kernel/randomize_va_space
read -r _ value _ _ <<END
$(watched)
END
ringtail record -q -e "mem:$value/8:w" -o $data -- watched >/dev/null
like "$(named | sort | uniq -c | sort -n | tail -n 1)" '^ *[23][0-9] write_value\+0x[0-9a-f]+ watched\.c:[0-9]+$' "a program: with the source line" ||
	diag "$(ringtail script -i $data | head -n 3)"
ringtail script -q --json -i $data >/tmp/json
like "$(grep write_value /tmp/json | head -n 1)" '"sym":"write_value",.*"file":"[^"]*watched\.c","line":[0-9]+' "--json: with the source line"
like "$(lines | grep write_value)" '% \[\.\] write_value$' "report: its function"

# Without symbols the address says more.
cp "$(command -v watched)" /tmp/bare
if strip /tmp/bare 2>/dev/null; then
	ringtail record -q -e "mem:$value/8:w" -o $data -- /tmp/bare >/dev/null
	like "$(named | sort -u)" '^[0-9a-f]{8,}$' "a program without symbols: the address"
else
	skip "a program without symbols" "no strip in this guest"
fi
rmmod rt_watch_play
ok "ringtail unloads" rmmod ringtail
done_testing
