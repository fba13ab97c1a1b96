#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=600 default="@(5.10-*|6.1-*)"
#
# Tracepoints whose headers do not compile into the module, so that perf_events deliver them: beside
# perf, filters, stacks; one that the kernel refuses when it is armed; a whole system under load, and
# then the module unloads.  record-every.sh has all tracepoints of the kernel.

. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit

# The whole machine: of a task that exits perf stops a little too early.  ringtail begins at the end of
# exec, where the task has its new name already.
pages=kmem:mm_page_alloc,kmem:mm_page_free
if perf_works; then
	both rt-known "-a -e $pages" rt-known
	for event in $(echo $pages | tr , ' '); do
		grep " $event:" /tmp/ringtail.text >/tmp/ours
		grep " $event:" /tmp/perf.text | tail -n "$(wc -l </tmp/ours)" >/tmp/theirs
		ok "$event: there is something to compare" test "$(wc -l </tmp/ours)" -gt 20
		is "$(diff /tmp/theirs /tmp/ours | grep '^[-+<>]' | head -n 12)" "" "$event: $(wc -l </tmp/ours) events, equal to perf's"
	done
else
	record -a -e $pages -- rt-known
	for event in $(echo $pages | tr , ' '); do
		ok "$event: there are some" test "$(grep -c " $event:" /tmp/lines)" -gt 20
	done
	perf_skip "$pages beside perf"
fi
record -e kmem:mm_page_alloc --filter 'order > 0' -- rt-known
unlike "$(cat /tmp/lines)" 'order=0' "a filter on their fields"
like "$said" ' [1-9][0-9]* filtered out' "counts what it drops"
record -g -e kmem:mm_page_alloc -- rt-known
like "$(cat /tmp/lines)" ' (asm_exc_page_fault|el0_da|do_user_addr_fault|handle_mm_fault)' "with stacks"
unlike "$(cat /tmp/lines)" 'perf_tp_event|ringtail' "that begin where the tracepoint is"

# The kernel lets nobody sample this one with its fields.
if [ ! -d $TRACING/events/irq_vectors/irq_work_exit ] ||
	perf record -q -a -c 1 -e irq_vectors:irq_work_exit -o /tmp/by-perf.data -- true 2>/dev/null; then
	skip "one of a glob that the kernel refuses when it is armed" "this kernel refuses no such tracepoint"
else
	record -a -e 'irq_vectors:irq_work*' -- true
	is $? 0 "one of a glob that the kernel refuses when it is armed: the rest is recorded" || diag "$said"
	like "$said" "left out: irq_vectors:irq_work_exit \(the kernel refuses them\)" "and it is named"
	for how in "--strict -e irq_vectors:irq_work*" "-e irq_vectors:irq_work_exit"; do
		# shellcheck disable=SC2086 # words are meant
		said=$(ringtail record $how -a -o /tmp/refused.data -- true 2>&1)
		is $? 1 "$how: refused"
		like "$said" 'irq_work.*could not be armed' "with the event"
	done
fi

# --- a whole system -----------------------------------------------------------------

# Disarming one takes the kernel a grace period.
seconds=2 every='kmem:*'
load() { while :; do cat /proc/self/maps /proc/*/stat; done >/dev/null 2>&1; }
load & busy=$!
said=$(ringtail record -q -a -e "$every" --duration ${seconds}s -o /tmp/all.data 2>&1)
is $? 0 "$every for $seconds s under load" || diag "$said"
kill $busy
wait $busy 2>/dev/null
like "$said" 'through perf_events' "some of them through perf_events"
like "$(ringtail report --stats -i /tmp/all.data 2>/dev/null)" 'kmem:' "they fired"
kill_armed "$every"
done_testing
