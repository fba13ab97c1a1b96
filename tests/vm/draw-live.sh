#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=400 default="newest-*"
#
# Pictures of live recordings: the flame graph and the page of sched events, probes, a watch and
# losses have the numbers of report --stdio and of script.

. ./lib/tap.sh
. ./lib/record.sh

case $(uname -m) in
aarch64) a=%x0 ;;
x86_64) a=%di ;;
esac
data=/results/perf.data page=/results/page.html

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit
insmod /rt/modules/rt_watch_play.ko || exit
word=$(sed -n 's/^word //p' /proc/rt_watch_play)

# The page without markup: each row of a table or card in one line, its cells with | behind.
plain() {
	sed -e 's|<svg class="bar"[^>]*><rect[^>]*></svg>||g' -e 's|</td>|\|</td>|g' -e 's|<[^>]*>||g' \
		-e 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g' -e "s/&#39;/'/g" -e 's/&amp;/\&/g'
}
# section ID: its lines.  tab NAME: of these, the lines of one event.
section() { awk -v id="<section id=\"$1\">" 'index($0, "<section ") { on = index($0, id) } on; /<\/section>/ { on = 0 }' $page; }
tab() { awk -v name="<h3>$1</h3>" 'index($0, "<div class=\"tab\">") { on = index($0, name) } on'; }
# The rows that a script shows when they are looked for, a line each: ["FUNCTION","CELL",...].
more_rows() {
	sed -n '/^<script [^>]*class="rows">/,/<\/script>$/p' |
		sed -e 's/^<script[^>]*>\[//; s/]<\/script>$//; s/,$//; s/^\["[^"]*","//; s/"]$//; s/","/|/g' \
			-e 's/\\u003c/</g; s/\\u003e/>/g; s/\\u0026/\&/g; s/\\"/"/g'
}
html_table() {
	section table | tab "$1" >/tmp/tab
	grep '^<tr' /tmp/tab | plain | sed 's/|$//'
	more_rows </tmp/tab
}
stdio_table() {
	awk -v event="'$1'" '
		/^# Samples: / { on = index($0, event); next }
		/^#/ || !on || !NF { next }
		{ gsub(/ *\| */, "|"); gsub(/^ +| +$/, ""); print }' /tmp/all
}
# The timeline's total of an event.
total_of() { section timeline | grep -o "\"$1\",[0-9]*,\\[" | head -n 1 | sed 's/.*",\([0-9]*\),.*/\1/'; }

# --- sched events, a probe with its return, and a watch --------------------------------

# shellcheck disable=SC2016 # $retval is a word of the probe
said=$(ringtail record -a -g -e sched:sched_switch -e sched:sched_wakeup -e "kprobe:rt_play:rt_play_number a=$a:s64" \
	-e 'kretprobe:rt_play:rt_play_number ret=$retval:s64' -e "mem:$word/8:w" -o $data -- \
	sh -c 'echo number 300 >/proc/rt_play; usleep 20000; echo plain 50 >/proc/rt_watch_play; usleep 20000' 2>&1)
is $? 0 "a live recording" || diag "$said"
said=$(ringtail report -q -g none -i $data --html $page 2>&1)
is "$? $said" "0 " "report --html writes its page"
ringtail report --stdio -i $data -g none -t '|' >/tmp/all 2>/dev/null
ringtail flamegraph -q -i $data --by event --folded >/tmp/folded
ringtail script -i $data -F comm,tid,cpu,time,event,trace >/tmp/script 2>/dev/null

events=$(ringtail evlist -i $data | grep -v '^#')
is "$(echo "$events" | wc -l)" 5 "five events"
for event in $events; do
	count=$(grep -c " $event: " /tmp/script)
	ok "$event: was recorded" test "$count" -gt 0
	html_table "$event" >/tmp/html
	stdio_table "$event" >/tmp/stdio
	ok "$event: the table of the page is that of report --stdio ($(wc -l <"/tmp/stdio") rows)" cmp -s /tmp/html /tmp/stdio ||
		diff /tmp/stdio /tmp/html | head -n 8 | sed 's/^/# /'
	ok "and is not empty" test -s /tmp/stdio
	is "$(total_of "$event")" "$count" "$event: the timeline has its events"
	is "$(awk -v event="$event" 'index($0, event ";") == 1 { n += $NF } END { print n }' /tmp/folded)" "$count" \
		"$event: the flame graph has them, too"
done
is "$(sed -n 's/.*<b>\([0-9,]*\)<\/b><span>samples<.*/\1/p' $page | tr -d ,)" "$(wc -l </tmp/script)" "the summary counts all of them"
ringtail flamegraph -q -i $data -o /results/flame.svg
is "$(sed -n 's/.*class="frames" data-total="\([0-9]*\)".*/\1/p' /results/flame.svg)" "$(wc -l </tmp/script)" "so does the root of the flame graph"
like "$(cat /results/flame.svg)" '<title>rt_play_number$' "it has the probed function"

probe=probe:rt_play_number back=probe:rt_play_number__return watch=$(echo "$events" | grep '^watch:')
card() { section values | tab "$1" | awk -v name="<h4>$2</h4>" 'index($0, "<div class=\"card\">") { on = index($0, name) } on'; }
like "$(card "$probe" a | plain)" '300 values, 0 to 299, mean 149.5$' "the values of a probe"
like "$(card "$back" ret | plain)" '300 values, -299 to 0, mean -149.5$' "the values of its return, with their signs"
card "$watch" new | plain | grep '|' | sed 's/|.*//' >/tmp/new
is "$(head -n 8 /tmp/new | tr '\n' ' ')" "$(for hex in $(grep " $watch: " /tmp/script | sed 's/.* new=\([^ ]*\) .*/\1/' | head -n 8); do printf '%d ' "$hex"; done)" \
	"the first values of a watch"
like "$(card "$watch" new | plain)" '50 values' "all fifty"
like "$(section latency | plain)" "$probe .* ${back}300 pairs" "each call and its return is a pair"
want=$(awk '/ sched:sched_switch: /' /tmp/script | sed 's/.*next_pid=\([0-9]*\) .*/\1/' | sort | uniq -c | sort -k 1,1nr -k 2,2n | head -n 8 | awk '{ print $2 "|" $1 }')
is "$(card sched:sched_switch next_pid | plain | grep '|' | grep -v '^others' | cut -d '|' -f 1,2 | tr -d ,)" "$want" \
	"the values of sched_switch"
ringtail flamegraph -q -i $data --off-cpu --folded >/tmp/off
ok "off-CPU time of who slept" grep -q '^usleep;.* [1-9][0-9]\{6,\}$' /tmp/off || diag "$(head -n 5 /tmp/off)"

# --- losses ------------------------------------------------------------------------------

# Stopped, the recorder cannot keep up with a burst.
said=$(ringtail record -e kprobe:rt_play:rt_play_number --subbuffers 2 -o $data -- \
	sh -c 'for i in 1 2 3; do kill -STOP $PPID; echo number 5000 >/proc/rt_play; kill -CONT $PPID; usleep 200000; done' 2>&1)
lost=$(printf '%s\n' "$said" | sed -n 's/.* \([0-9]*\) lost;.*/\1/p')
ok "there is a loss ($lost)" test "${lost:-0}" -gt 0 || diag "$said"
ringtail report -q -i $data --html $page 2>/dev/null
is "$(sed -n 's/.*<div class="tile bad"><b>\([0-9,]*\)<.*/\1/p' $page | tr -d ,)" "$lost" "the page has it in its summary"
is "$(section timeline | sed -n 's/.*"lost":\[\([^]]*\)\].*/\1/p' | tr ',' '\n' | awk '$1 > 0 { n += $1 } END { print n }')" "$lost" \
	"the timeline has it where it was"
like "$(section summary | plain)" "Lost.*ring full" "with the cause"
ringtail flamegraph -q -i $data -o /results/flame.svg 2>/dev/null
like "$(cat /results/flame.svg)" "class=\"warn\".*events were lost while recording" "the flame graph says so, too"

ok "rt_watch_play unloads" rmmod rt_watch_play
ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
