#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=600 heavy=1 modprobe=vsock_loopback level=all
#
# Native tracepoints beside perf: both record the same work at the same time, and every
# field of every event must be the same, and the side-band, too.  Then tracepoints of modules, and
# globs that also match tracepoints whose headers do not compile (record-perf.sh has those).

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit

if ! perf_works; then
	record -a -e sched:sched_process_exec -e sched:sched_process_exit -- rt-known
	is "$(grep -c 'sched:sched_process_exec: filename=/rt/bin/rt-known ' /tmp/lines)" 4 "four programs were executed"
	is "$(grep -c 'sched:sched_process_exit: comm=rt-known' /tmp/lines)" 5 "five tasks ended"
	perf_skip "native tracepoints beside perf"
	done_testing
fi

# Whole systems whose headers compile on every supported kernel, and what this build of the module
# has in addition.  Leave some out: a task is freed at any time after its end, and for
# sched_stat_runtime perf counts nanoseconds instead of hits and sometimes misses one.
events=
for system in sched task signal irq; do
	for event in "$TRACING/events/$system"/*/; do
		name=$(basename "$event")
		case $name in sched_process_free | sched_stat_runtime) continue ;; esac
		events="$events -e $system:$name"
	done
done
# A build with few headers is only for experiments.
# shellcheck disable=SC2086 # words are meant
case $(ringtail record $events -o /tmp/try.data true 2>&1) in
*"built without"*) events=$(echo "$events" | sed 's/-e signal:[^ ]*//g') ;;
esac

# Both record the whole machine: otherwise perf stops a little too early when a task exits, and
# interrupts belong to no task.
both rt-known "-a $events" rt-known
same "tracepoints"
cp /tmp/perf.all /tmp/perf.machine
cp /tmp/ringtail.all /tmp/ringtail.machine
# Before 4.3 the kernel tells of wakeups only when they are done.
wakeup=sched_waking
[ -e "$TRACING/events/sched/sched_waking" ] || wakeup=sched_wakeup
for event in sched:sched_switch sched:$wakeup sched:sched_process_fork sched:sched_process_exec \
	sched:sched_process_exit task:task_newtask task:task_rename; do
	ok "$event was among them" grep -q " $event: " /tmp/ringtail.text
done
is "$(grep -c 'sched:sched_process_exec: ' /tmp/ringtail.text)" 4 "four programs were executed"

# Interrupts: perf began earlier and ended later.  So the events of one kind on one CPU that
# ringtail recorded must be a contiguous part of those that perf recorded.  (The agent also raises
# softirqs, and leaves itself out.)
irqs() { sed -n "s/.* \[$3\] *irq:$2: *//p" /tmp/$1.machine | tr '\n' ';'; }
softirqs=0
for event in softirq_entry softirq_exit irq_handler_entry irq_handler_exit; do
	for cpu in 000 001; do
		seen=$(irqs ringtail $event $cpu)
		case $(irqs perf $event $cpu) in
		*"$seen"*) piece=1 ;;
		*) piece=0 ;;
		esac
		is $piece 1 "irq:$event on CPU $cpu: $(echo "$seen" | tr -cd ';' | wc -c) events in one piece"
		case $event in softirq*) softirqs=$((softirqs + ${#seen})) ;; esac
	done
done
ok "there were softirqs" test $softirqs -gt 0

# The side-band: compare the records about the tasks of the work in perf's file and in ours.
tasks() {
	perf_events --show-task-events --show-mmap-events -F comm,tid,cpu,event,trace -i "$1" 2>/dev/null |
		grep 'PERF_RECORD_' | sed 's/^ *//; s/  */ /g'
}
for who in perf ringtail; do
	tasks /results/by-$who.data | grep '^rt-known' >/tmp/$who.side
	for kind in COMM FORK EXIT MMAP2; do
		grep "PERF_RECORD_$kind" /tmp/$who.side | sort -s -k 2,2 >/tmp/$who.$kind
	done
done
# Before 5.5 the kernel gives perf the task that exits as its own parent, some kernels twice, and before
# 3.16 no protection of mappings without a file.
if ! grep -vq 'EXIT(\([0-9:]*\)):(\1)' /tmp/perf.EXIT; then
	for who in perf ringtail; do sed -i 's/:([0-9:]*)$//' /tmp/$who.EXIT; done
	uniq /tmp/perf.EXIT >/tmp/once && mv /tmp/once /tmp/perf.EXIT
fi
if grep -q -e '---p \[vdso\]' /tmp/perf.MMAP2; then
	sed -i 's/r-xp \[vdso\]/---p [vdso]/' /tmp/ringtail.MMAP2
fi
for kind in COMM FORK EXIT MMAP2; do
	ok "PERF_RECORD_$kind: there are some" test -s /tmp/perf.$kind
	diff -u /tmp/perf.$kind /tmp/ringtail.$kind >/tmp/differences
	is "$(head -n 12 /tmp/differences)" "" "PERF_RECORD_$kind: $(wc -l </tmp/perf.$kind) records, equal"
done

# Most system calls of the whole machine would be perf's own.
both rt-known "-e raw_syscalls:sys_enter -e raw_syscalls:sys_exit" rt-known
same "raw system calls"
for event in sys_enter sys_exit; do
	ok "raw_syscalls:$event was among them" grep -q " raw_syscalls:$event: " /tmp/ringtail.text
done

# --- tracepoints of a module -------------------------------------------------------

packet=vsock:virtio_transport_alloc_pkt
case $(ringtail record -e $packet -o /tmp/try.data true 2>&1) in
*"no tracepoint"*) skip "tracepoints of a module" "this kernel has no vsock_loopback" ;;
*"built without"*) skip "tracepoints of a module" "the module was built without its header" ;;
*)
	both rt-vsock "-e $packet" rt-vsock 30
	same "a module's tracepoint"
	is "$(sed -n 's/.*alloc_pkt: [0-9]*:[0-9]* -> 1:\(1[0-9]*\) .*op=REQUEST.*/\1/p' /tmp/ringtail.text | tr '\n' ' ')" \
		"$(seq 1000 1029 | tr '\n' ' ')" "every packet, in order"
	used() { awk '$1 == "vmw_vsock_virtio_transport_common" { print $3 }' /proc/modules; }
	before=$(used)
	record -e $packet -- sh -c "awk '\$1 == \"vmw_vsock_virtio_transport_common\" { print \$3 }' /proc/modules >/tmp/used"
	is "$(cat /tmp/used) $(used)" "$((before + 1)) $before" "the module is held while it is recorded, not longer"
	;;
esac

# --- globs -------------------------------------------------------------------------

# On no kernel can a module compile the header of workqueue: perf_events deliver these tracepoints.
record -a -e '[tw][ao][sr]k*:*' -- rt-known
is $? 0 "a glob with tracepoints whose headers do not compile" || diag "$said"
like "$(cat /tmp/lines)" 'task:task_newtask: ' "those of the module are there"
is "$(printf '%s\n' "$said" | grep -c "through perf_events.*: .*workqueue:workqueue_.*cannot be unloaded.*not counted")" 1 \
	"one line names the others and says what is different"
like "$(ringtail evlist -i /results/perf.data)" 'workqueue:workqueue_execute_start' "they are recorded"

ok "ringtail unloads" rmmod ringtail
done_testing
