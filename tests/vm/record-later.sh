#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=300 default="newest-*"
#
# later:SYSTEM:NAME: tracepoints of modules that are loaded, unloaded and loaded again while the
# recording runs, beside perf; a module whose init function fails; kill -9.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit
ko=/rt/modules/rt_trace.ko

begin() { # OPTION…: until it records
	ringtail record -a -o /results/perf.data "$@" 2>/tmp/said & agent=$!
	until polls $agent || [ ! -d /proc/$agent ]; do usleep 20000; done 2>/dev/null
}
finish() {
	kill -INT $agent
	wait $agent
	status=$?
	said=$(cat /tmp/said)
	perf_reads /results/perf.data
}
# The agent reads the formats of a new module within a second; until then it cannot be unloaded.
unload() { until rmmod rt_trace 2>/dev/null; do usleep 20000; done; }
numbers() { sed -n 's/.*rt_trace:rt_trace_number: number=\([-0-9]*\) odd=[01]$/\1/p' "$1" | tr '\n' ' '; }

# --- loaded, unloaded, loaded again --------------------------------------------------

begin -e 'later:rt_trace:*'
insmod $ko
echo number 100 >/proc/rt_trace
echo bytes 3 >/proc/rt_trace
unload
insmod $ko
echo number 50 >/proc/rt_trace
finish
is $status 0 "record" || diag "$said"
like "$said" 'through perf_events, when their modules are loaded: rt_trace:\*' "the beginning says how"
like "$said" 'hits inside a handler of perf are missing and not counted' "and what is different"
# With init functions, the exit function, and both loads: 1 + 100 + 3 + 1 + 1 + 50.
like "$said" ' 156 events written, 0 filtered out, 0 lost' "every hit is written"
is "$(numbers /tmp/lines)" "-1 $(seq 0 99 | tr '\n' ' ')-2 -1 $(seq 0 49 | tr '\n' ' ')" \
	"the values, in order, from init to exit and again"
like "$(cat /tmp/lines)" 'rt_trace:rt_trace_bytes: count=3 bytes=03 ?03 ?03' "dynamic data with its format"
is "$(cat /tmp/warnings)" "" "perf reads it without a warning"
is "$(ringtail script -F event,trace -i /results/perf.data | grep -c 'number=')" 153 "ringtail reads it, too"
like "$(ringtail evlist -i /results/perf.data)" 'rt_trace:rt_trace_number' "evlist names the tracepoint"
is "$(ringtail evlist -i /results/perf.data | grep -c rt_trace_number)" 1 "once for both loads"

# --- a module that is loaded already, beside perf --------------------------------------

begin -e 'later:rt_trace:rt_trace_number'
perf record -q -a -e rt_trace:rt_trace_number -o /results/by-perf.data -- \
	sh -c 'echo number 200 >/proc/rt_trace; echo bytes 5 >/proc/rt_trace' 2>/dev/null
finish
perf_events -F comm,event,trace -i /results/by-perf.data >/tmp/theirs 2>/dev/null
perf_events -F comm,event,trace -i /results/perf.data >/tmp/ours 2>/dev/null
is "$(wc -l </tmp/ours)" 200 "a module that is loaded already: every hit of this name, and no other"
is "$(diff /tmp/theirs /tmp/ours | head -n 4)" "" "the same lines as perf's recording of the same run"
unload

# --- filters, several files, what never came --------------------------------------------

begin -e 'later:rt_trace:*' --filter 'comm == nobody'
insmod $ko
echo number 7 >/proc/rt_trace
finish
like "$said" ' 0 events written, 8 filtered out, 0 lost' "a filter on the task" || diag "$said"
unload
begin --switch-output -e 'later:rt_trace:*'
insmod $ko
echo number 10 >/proc/rt_trace
kill -USR2 $agent
until ls /results/perf.data.2* >/dev/null 2>&1; do usleep 20000; done
echo number 20 >/proc/rt_trace
kill -INT $agent
wait $agent
total=0
for file in /results/perf.data.2*; do
	perf_events -F event,trace -i "$file" >/tmp/part 2>/dev/null
	total=$((total + $(grep -c 'rt_trace_number: number=' /tmp/part)))
done
is $total 31 "all files together hold every event"
unload
begin -e 'later:nothing:*'
finish
like "$said" 'never fired: nothing:\* \(its module was not loaded\)' "a module that never came"

# --- a module whose init function fails, and kill -9 --------------------------------------

begin -e 'later:rt_trace:*'
insmod $ko fail=1 2>/dev/null
is "$(grep -c rt_trace /proc/modules)" 0 "its init function fails"
insmod $ko
echo number 5 >/proc/rt_trace
finish
# Some insmods try a second way when the first one fails.
like "$said" ' [78] events written, 0 filtered out, 0 lost' "hits of both are counted" || diag "$said"
like "$(numbers /tmp/lines)" '-1 0 1 2 3 4 $' "those of the second load are in the file"
unload

begin -e 'later:*:*'
insmod $ko
echo number 5 >/proc/rt_trace
kill -9 $agent
wait $agent 2>/dev/null
perf_reads /results/perf.data
unload
ok "after kill -9 the module unloads" test ! -e /proc/rt_trace

refused 'later:SYSTEM:NAME, without terms' -e 'later:rt_trace'
refused 'later:SYSTEM:NAME, without terms' -e 'later:rt_trace:*:u'
refused "nothing|no field|not a field|neither" -e 'later:rt_trace:*' --filter 'number == 1'
said=$(ringtail record -a -e 'later:rt_trace:*' -o - --duration 1s 2>&1 >/dev/null)
is $? 1 "a pipe is refused"
like "$said" 'needs a file: leave out -o -' "with the reason"
ok "ringtail unloads" rmmod ringtail
done_testing
