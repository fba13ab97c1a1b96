#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 mem=1024 timeout=900 level=all kernels="!(debug-*|kcsan-*)"
#
# Probe everything that the module's handlers call, all at once: clocks, memory accessors, the stack
# walker, the path that wakes the reader, the module's own functions; then a large part of the
# kernel.  Nothing may hang, recursion is counted, and every hit is accounted for.
# Not on debug kernels: their checks walk stacks at every allocation, which takes minutes with a
# probed walker.  On arm64 they also run between a trap and its handler, where a probe recurses
# forever.

. ./lib/tap.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

functions() { # REGEX: the matching names in /proc/kallsyms, each once
	sed -n 's/^[0-9a-f]* [tT] \([a-zA-Z0-9_]*\)\(\t.*\)\?$/\1/p' /proc/kallsyms | grep -E "$1" | sort -u
}

# Work that involves tasks, timers, memory, files and the probed module.
cat >/tmp/work <<'END'
for i in 1 2 3; do
	echo number 50 >/proc/rt_play
	echo stack 20 >/proc/rt_play
	cat /proc/self/status /proc/interrupts >/dev/null
	sleep 0.1 & wait
done
END

# run WHAT OPTION… <NAMES: probe them and check the result.
run() {
	what=$1
	shift
	probe-all "$@" sh /tmp/work >/tmp/said
	is $? 0 "$what: every hit is accounted for"
	diag "$(cat /tmp/said)"
	like "$(cat /tmp/said)" 'entered [1-9][0-9]* written [1-9]' "$what: and some were written"
	is "$(wc -l </sys/kernel/debug/kprobes/list)" 0 "$what: no probe is left"
}

# Functions that a hit may call, from the clock to the wake-up.
clocks='ktime_get|__ktime_get|timekeeping_get|sched_clock|local_clock|read_tsc|arch_counter|kvm_clock|read_hpet'
memory='copy_from_(kernel|user)_nofault|strncpy_from_(kernel|user)_nofault|__copy_user|raw_copy|__arch_copy|copy_user'
memory="$memory|memcpy|memset|memmove|memchr|str(lcpy|scpy|len|cmp)"
walker='stack_trace_|arch_stack_walk|unwind_|__unwind|orc_|kernel_text_address|__kernel_text|core_kernel_text|is_module'
walker="$walker|in_entry_stack|get_stack_info|in_task_stack|on_accessible"
waking='irq_work_|arch_irq_work|native_apic|x2apic_|smp_cross|__wake_up|wake_up|try_to_wake_up|ttwu_|default_wake|pollwake'
waking="$waking|ep_poll|autoremove_wake|select_task_rq|enqueue_task|activate_task|check_preempt|resched_curr|preempt_(count|schedule)"
side='perf_event_(mmap|comm)|d_path|prepend|__rcu_read|rcu_read'

functions "^($clocks|$memory|$walker|$waking|$side)" >/tmp/names
sed -n 's/^[0-9a-f]* [tT] \([a-zA-Z0-9_]*\)\t\[ringtail\]$/ringtail:\1/p' /proc/kallsyms | sort -u >>/tmp/names
diag "$(wc -l </tmp/names) functions that handlers may call"
run "all that handlers call" -t sched:sched_switch -t raw_syscalls:sys_enter </tmp/names
like "$(cat /tmp/said)" 'recursion [1-9]' "recursion is seen, and counted"
like "$(cat /tmp/said)" 'woken [1-9]' "the reader was woken through probed functions"

run "all of that while rings that overwrite are flushed" -o -t sched:sched_switch </tmp/names
like "$(cat /tmp/said)" 'flushed [1-9]' "and they are"

refused() { echo "$1" | probe-all true | grep -q 'armed 0 refused 1'; }
if grep -qw preempt_schedule_notrace /proc/kallsyms; then
	ok "what the kernel calls while it serves a probe is refused" refused preempt_schedule_notrace
else
	skip "what the kernel calls while it serves a probe is refused" "this kernel does not preempt itself"
fi

# Each hit calls all of these several times per frame.
functions "^($walker|$clocks)" >/tmp/names
run "stacks and returns of what walks stacks" -g -r -t sched:sched_switch </tmp/names
like "$(cat /tmp/said)" 'recursion [1-9]' "recursion is seen there, too"

functions '^(vfs|ksys|do|hrtimer|tick|timer|rb|rcu|sched|sock|tcp|ip|skb|kmem|mutex|wait|complete|finish|prepare)_' |
	head -n 600 >/tmp/names
run "a large part of the kernel" -t sched:sched_switch </tmp/names

ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
