#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=300 default="newest-*"
#
# Identities: inside a pid namespace, when a thread executes another program, and when another
# process gets a session's descriptor.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit
data=/results/perf.data

# --- a pid namespace ----------------------------------------------------------------

# The shell prints its id; `exec` keeps this id for the program that makes the events.
said=$(in-pidns ringtail record -a -e syscalls:sys_enter_write -e kprobe:rt_play_number -o $data -- \
	sh -c 'echo $$ >/tmp/inner; cat /proc/sys/kernel/pid_max >/dev/null; echo number 5 >/proc/rt_play' 2>&1)
is $? 0 "recorded inside a pid namespace" || diag "$said"
perf_events -F comm,tid,event -i $data >/tmp/lines 2>/tmp/warnings
inner=$(cat /tmp/inner)
ok "the command has a small id there ($inner)" test "$inner" -lt 20
is "$(awk '/rt_play_number/ { print $1, $2 }' /tmp/lines | sort | uniq -c | tr -s ' ')" " 5 sh $inner" \
	"its hits have its id and its name"
is "$(awk '/sys_enter_write/ && $2 == n { print $1 }' n="$inner" /tmp/lines | sort -u)" sh "so have its system calls"
is "$(awk '$1 == "ringtail"' /tmp/lines)" "" "the tracer is left out, there, too"
in-pidns perf record -q -B -a -e sched:sched_process_exec -o /tmp/theirs.data -- cat /dev/null 2>/dev/null
in-pidns ringtail record -q -a -e sched:sched_process_exec -o $data -- cat /dev/null
of_cat() { perf_events -F comm,tid,event -i "$1" 2>/dev/null | awk '$1 == "cat" { print $1, $2, $3 }'; }
like "$(of_cat $data)" '^cat [0-9]+ ' "a command has a name"
if perf_works; then
	is "$(of_cat $data)" "$(of_cat /tmp/theirs.data)" "and the id that perf has for it"
else
	perf_skip "and the id that perf has for it"
fi

# --- a thread that executes another program -----------------------------------------

mkfifo /tmp/go /tmp/open
# exec_thread WHICH: record the thread (2) or the leader (1) while the thread executes a program.
# The command waits for the end of the fifo that the program holds open. /proc cannot tell it when
# the program ends: during the exec, the leader there is already a zombie without memory.
exec_thread() {
	: >/tmp/out
	exec-thread /tmp/go >/tmp/out 3<>/tmp/open &
	while [ ! -s /tmp/out ]; do usleep 10000; done
	record -t "$(cut -d ' ' -f "$1" /tmp/out)" -e syscalls:sys_enter_getppid -- \
		sh -c 'exec 4</tmp/open; : >/tmp/go; cat <&4'
	wait $!
}
exec_thread 2
is "$(grep -c sys_enter_getppid: /tmp/lines)" 10 "-t: a thread that is not the leader is followed into the program it executes"
exec_thread 1
is "$(grep -c sys_enter_getppid: /tmp/lines)" 0 "the leader, which that ends, is not taken for it"

# --- a descriptor in another process -------------------------------------------------

SYS_ADMIN=21
is "$(hand-over 0 $SYS_ADMIN)" "ok ok" "a descriptor handed to a task that may trace can be used"
is "$(hand-over 1000)" "EPERM EPERM" "one handed to a user cannot"
is "$(hand-over 0)" "EPERM EPERM" "nor one handed to a root without capabilities"

# --- the module asks the security modules --------------------------------------------

if grep -q ' security_perf_event_open$' /proc/kallsyms; then
	echo 'p:asked security_perf_event_open' >$TRACING/kprobe_events
	echo 1 >$TRACING/events/kprobes/asked/enable
	echo >$TRACING/trace
	hand-over 0 $SYS_ADMIN >/dev/null
	ok "security modules are asked at the opening, for an event, and for a target" \
		test "$(grep -c 'hand-over-.*asked:' $TRACING/trace)" -ge 3
	echo 0 >$TRACING/events/kprobes/asked/enable
	echo >$TRACING/kprobe_events
else
	skip "security modules are asked" "this kernel has none"
fi

ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
