#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=600 modprobe=vsock_loopback default="newest-*"
#
# later:SYSTEM:NAME: tracepoints of modules that are loaded, unloaded and loaded again while the
# recording runs, beside perf; a module whose init function fails; kill -9; several recorders at once; as
# many patterns as there may be; a module of the kernel's own for whose tracepoints there is a native probe.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit
ko=/rt/modules/rt_trace.ko
if ! module_offers 11; then
	refused "does not tell modules about each other's tracepoints" -e 'later:rt_trace:*'
	skip "tracepoints of modules" "this kernel does not tell modules about each other's"
	done_testing
fi

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
work='echo number 200 >/proc/rt_trace; echo bytes 5 >/proc/rt_trace'
if perf_works; then
	perf record -q -B -N -a -e rt_trace:rt_trace_number -o /results/by-perf.data -- sh -c "$work" 2>/dev/null
else
	sh -c "$work"
fi
finish
perf_events -F comm,event,trace -i /results/by-perf.data >/tmp/theirs 2>/dev/null
perf_events -F comm,event,trace -i /results/perf.data >/tmp/ours 2>/dev/null
is "$(wc -l </tmp/ours)" 200 "a module that is loaded already: every hit of this name, and no other"
if perf_works; then
	is "$(diff /tmp/theirs /tmp/ours | head -n 4)" "" "the same lines as perf's recording of the same run"
else
	perf_skip "the same lines as perf's recording of the same run"
fi
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
until ls /results/perf.data.[0-9]* >/dev/null 2>&1; do usleep 20000; done
echo number 20 >/proc/rt_trace
kill -INT $agent
wait $agent
total=0
for file in /results/perf.data.[0-9]*; do
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

# --- several at once, one of which is killed ------------------------------------------------

begin -e 'later:rt_trace:*'
ringtail record -a -o /results/other.data -e 'later:rt_*:rt_trace_n*' 2>/tmp/other.said & other=$!
ringtail record -q -a -o /results/victim.data -e 'later:*:*' 2>/dev/null & victim=$!
for recorder in $other $victim; do
	until polls $recorder || [ ! -d /proc/$recorder ]; do usleep 20000; done 2>/dev/null
done
insmod $ko
echo number 30 >/proc/rt_trace
kill -9 $victim
wait $victim 2>/dev/null
echo number 40 >/proc/rt_trace
unload
kill -INT $other
wait $other
finish
like "$said" ' 72 events written, 0 filtered out, 0 lost' "two recorders beside one that is killed: every hit, init to exit" ||
	diag "$said"
like "$(cat /tmp/other.said)" ' 72 events written, 0 filtered out, 0 lost' "in the other one, too"
perf_events -F event,trace -i /results/perf.data >/tmp/ours 2>/dev/null
perf_events -F event,trace -i /results/other.data >/tmp/others 2>/dev/null
is "$(wc -l </tmp/ours) $(diff /tmp/ours /tmp/others | head -n 4)" "72 " "with the same lines"

# --- as many as there may be ------------------------------------------------------------------

# To add a thousand takes half a minute.
if [ "$RT_LEVEL" != default ]; then
	# RT_PLACE_EVENTS_MAX, of all sessions together.
	patterns() { seq "$1" | sed 's/.*/later:none&:*/' | tr '\n' ',' | sed 's/,$//'; }
	begin -e "$(patterns 1023),later:rt_trace:rt_trace_number"
	insmod $ko
	echo number 10 >/proc/rt_trace
	said=$(ringtail record -a -e 'later:one_more:*' -o /tmp/refused.data --duration 1s 2>&1)
	is $? 1 "1024 are recorded, and one more is refused"
	like "$said" '^ringtail: record: .*1024' "with the limit" || diag "$said"
	is "$(ls /tmp/refused.data 2>/dev/null)" "" "and no file is left behind"
	unload
	finish
	like "$said" ' 12 events written, 0 filtered out, 0 lost' "1024 patterns: the hits of the one whose module came" || diag "$said"
	record -a -e 'later:one_more:*' --duration 0.1s
	is $status 0 "when they are gone there is room again" || diag "$said"
fi

# --- a module for whose tracepoints there is a native probe --------------------------------------

common=vmw_vsock_virtio_transport_common
if ! rmmod vsock_loopback || ! rmmod $common; then
	skip "a module of the kernel's own" "this kernel has no vsock_loopback, or cannot unload it"
else
	begin -e later:vsock:virtio_transport_alloc_pkt
	insmod /rt/drivers/$common.ko
	insmod /rt/drivers/vsock_loopback.ko
	rt-vsock 30
	finish
	is "$(sed -n 's/.*alloc_pkt: [0-9]*:[0-9]* -> 1:\(1[0-9]*\) .*op=REQUEST.*/\1/p' /tmp/lines | tr '\n' ' ')" \
		"$(seq 1000 1029 | tr '\n' ' ')" "a module of the kernel's own that comes: every packet, in order" || diag "$said"
	# Once it is loaded, its name alone takes the native probe, if the build has it.
	record -e vsock:virtio_transport_alloc_pkt -- rt-vsock 30
	is "$(grep -c 'op=REQUEST' /tmp/lines)" 30 "and by its own name when it is there" || diag "$said"
fi

refused 'later:SYSTEM:NAME, without terms' -e 'later:rt_trace'
refused 'later:SYSTEM:NAME, without terms' -e 'later:rt_trace:*:u'
refused "nothing|no field|not a field|neither" -e 'later:rt_trace:*' --filter 'number == 1'
said=$(ringtail record -a -e 'later:rt_trace:*' -o - --duration 1s 2>&1 >/dev/null)
is $? 1 "a pipe is refused"
like "$said" 'needs a file: leave out -o -' "with the reason"
ok "ringtail unloads" rmmod ringtail
done_testing
