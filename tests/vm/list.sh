#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=600 default="6.1-*"
#
# ringtail list: the names of tracefs and of perf list, how events would be recorded, JSON.

. ./lib/tap.sh
. ./lib/perf.sh

insmod /rt/ringtail.ko || exit
echo 'p:rt_list/defined vfs_read' >$TRACING/kprobe_events

names() { awk '{ print $1 }' | LC_ALL=C sort -u; }
missing() { # FILE FILE: what either lacks, the first ten
	LC_ALL=C sort "$1" "$2" | uniq -u | head
}

# --- the same names -----------------------------------------------------------------

# tracefs leaves its own tracers out of its list; they have a number, and perf lists them.
{
	cat $TRACING/available_events
	for id in "$TRACING"/events/ftrace/*/id; do
		[ ! -e "$id" ] || echo "$id" | sed 's,.*/\(ftrace\)/\(.*\)/id,\1:\2,'
	done
} | LC_ALL=C sort -u >/tmp/tracefs
ringtail list tracepoint probe | names >/tmp/got
is "$(missing /tmp/got /tmp/tracefs)" "" "tracepoints and probes are those of tracefs ($(wc -l </tmp/got))"
is "$(ringtail list probe)" "$(printf '%-50s  probe' rt_list:defined)" "a probe that tracefs defines has its own kind"

# Of perf's own: tool events (duration_time), its tables of CPU events and metrics.
perf list --no-desc >/tmp/perf 2>/dev/null
of_perf() { # KIND: the first name on each line
	sed -n "s/^ *\([^ ].*[^ ]\)  *\[$1.*/\1/p" /tmp/perf | sed 's/ OR .*//' | LC_ALL=C sort -u
}
compare() { # KIND OF-PERF…
	kind=$1
	shift
	for word; do of_perf "$word"; done | LC_ALL=C sort -u >/tmp/want
	ringtail list "$kind" | names >/tmp/got
	is "$(missing /tmp/got /tmp/want)" "" "$kind: the names of perf list ($(wc -l </tmp/want))"
}
compare hw 'Hardware event'
compare sw 'Software event'
compare cache 'Hardware cache event'
of_perf 'Tracepoint event' >/tmp/want
is "$(missing /tmp/tracefs /tmp/want)" "" "and of perf list"
# perf names some events of the CPU without their PMU, and adds those of its own tables.
for file in /sys/bus/event_source/devices/*/events/*; do
	case ${file##*/} in
	*.* | '*') ;;
	*) echo "$file" | sed 's,.*/\([^/]*\)/events/\([^/]*\)$,\1/\2/,' ;;
	esac
done | LC_ALL=C sort -u >/tmp/want
ringtail list pmu | names | grep -v =N >/tmp/got
is "$(missing /tmp/got /tmp/want)" "" "pmu: the names of sysfs ($(wc -l </tmp/want))"
is "$(while IFS=/ read -r pmu name _; do
	grep -Eq "(^|[ /])$name(/| ).*Kernel PMU event" /tmp/perf || echo "$pmu/$name/"
done </tmp/got)" "" "perf list has each of them"
like "$(ringtail list -v ftrace:function)" 'recorded: no: ' "an event that cannot be recorded has the reason"

# --- details ------------------------------------------------------------------------

said=$(ringtail list -v sched:sched_switch)
like "$said" '^sched:sched_switch +tracepoint' "-v: the event"
like "$said" 'recorded: native' "-v: the module has a probe for it"
like "$said" 'field: char prev_comm\[16\]' "-v: a field with its type"
like "$(ringtail list -v net:net_dev_queue)" 'field: __data_loc char\[\] name' "-v: a field of any length"
like "$said" 'print: "prev_comm=%s' "-v: the print format"
like "$(ringtail list -v cpu-clock)" 'recorded: sampled' "-v: a counter"
like "$(ringtail list -v rt_list:defined)" 'defined as: kprobe:' "-v: the definition of a probe"
is "$(grep -v DISABLED /sys/kernel/debug/kprobes/list)" "" "nothing is armed"

# What -v says is what record does.
ringtail list -v tracepoint | awk '/^[^ ]/ { name = $1 } /^    recorded:/ { print $2, name }' >/tmp/answers
for answer in native generic; do
	event=$(sed -n "s/^$answer //p" /tmp/answers | head -n 1)
	if [ -z "$event" ] && ! grep -qv "^native \|^no: ftrace:" /tmp/answers; then
		skip "generic" "the module has its own probe for every tracepoint"
		continue
	fi
	said=$(ringtail record --dry-run -v -a -e "$event" 2>&1)
	is $? 0 "an event that is $answer can be recorded: $event" || diag "$said"
done
is "$(wc -l </tmp/answers)" "$(ringtail list tracepoint | wc -l)" "each tracepoint has an answer"
ringtail record --dry-run -a -e '*:*' 2>&1 | sed -n "s/.*: \([0-9]*\) of [0-9]* left out.*/\1/p" >/tmp/left
is "$(grep '^no:' /tmp/answers | grep -vc ' ftrace:')" "$(sed -n 1p /tmp/left | grep . || echo 0)" "as many are refused as record leaves out" ||
	diag "$(grep -v '^native' /tmp/answers | head -n 5)"

# --- words --------------------------------------------------------------------------

is "$(ringtail list 'sched:sched_s?itch' | names)" sched:sched_switch "a glob"
is "$(ringtail list SCHED_SWITCH | names)" sched:sched_switch "a part of the name, in any case"
is "$(ringtail list cpu-clock sched_switch | names | tr '\n' ' ')" "cpu-clock sched:sched_switch " "several words"
said=$(ringtail list sched_swtich 2>&1)
is "$? $said" "1 ringtail: list: no event of this machine is called 'sched_swtich'; did you mean 'sched_switch'?" "a misspelt word"

# --- JSON ---------------------------------------------------------------------------

ringtail list -v --json >/results/list.json
is $? 0 "--json: status"
is "$(grep -o '{"name":"[^"]*","kind"' /results/list.json | wc -l)" "$(ringtail list | wc -l)" "--json has as many events"

rmmod ringtail
like "$(ringtail list -v sched:sched_switch)" 'recorded: unknown: the module is not loaded' "without the module list -v says so"
done_testing
