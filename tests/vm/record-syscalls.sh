#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" smp=2 timeout=420 default="@(5.10-*|6.1-*)"
#
# The events of the system "syscalls": as perf records them, many at once, filtered, and
# without those of 32-bit tasks.

. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit

# Both record the same calls at the same time: every field, as perf prints it, must be equal.
calls='openat read write close execve exit_group prctl rt_sigaction wait4 clone mmap newuname
	clock_nanosleep futex getpid tgkill'
events=
for call in $calls; do
	for side in enter exit; do
		[ ! -d "$TRACING/events/syscalls/sys_${side}_$call" ] || events="$events -e syscalls:sys_${side}_$call"
	done
done
both rt-known "$events" rt-known
same "system calls"
is "$(grep -c 'sys_exit_close: 0xfffffffffffffff7$' /tmp/ringtail.text)" 20 "close failed 20 times with EBADF"

record -e 'syscalls:sys_exit_*' -- rt-known
is $? 0 "the exits of all system calls at once" || diag "$said"
is "$(cat /tmp/warnings)" "" "perf reads that without a warning"
is "$(grep -c 'sys_exit_close: 0xfffffffffffffff7$' /tmp/lines)" 20 "the right ones among them"
like "$said" ' 0 lost' "none lost"

record -e syscalls:sys_exit_close --filter 'ret < 0' -- rt-known
is "$(sed -n 's/.*: \(0x[0-9a-f]*\)$/\1/p' /tmp/lines | sort | uniq -c | tr -s ' ')" " 20 0xfffffffffffffff7" \
	"a filter on the return value, signed"
like "$said" '20 events written, [1-9][0-9]* filtered out, 0 lost' "the others are counted"
record -e syscalls:sys_enter_write --filter 'count == 1 && comm ~ "rt-known-e*"' -- rt-known
is "$(grep -c . /tmp/lines)" 20 "a filter on an argument and the thread's name"
record -e syscalls:sys_enter_close --filter 'fd & 0x80000000' -e syscalls:sys_enter_close -- rt-known
is "$(grep -c 'fd: 0xf*$' /tmp/lines)" 40 "the same call twice, once filtered: both see it"

record -e syscalls:sys_enter_close -g -- rt-known
is "$(sed -n '/sys_enter_close:/{n;p;q}' /tmp/lines | grep -cE 'rt_|ringtail')" 0 "the stack begins outside the tracer"
like "$(sed -n '/sys_enter_close:/,/^$/p' /tmp/lines | sed -n 2,4p)" 'syscall|invoke|el0|do_' "where the system call does"

# Number 20 means different calls for 32-bit and 64-bit tasks; raw_syscalls shows both.
case $(uname -m) in
aarch64) other=epoll_create1 ;;
x86_64) other=writev ;;
esac
rt-call32
case $? in
0)
	record -e syscalls:sys_enter_$other -e syscalls:sys_exit_$other \
		-e raw_syscalls:sys_enter --filter 'id == 20' -- rt-call32
	is "$(grep -c 'raw_syscalls:sys_enter: NR 20 ' /tmp/lines)" 10 "a 32-bit task is in raw_syscalls"
	is "$(grep -c "_$other: " /tmp/lines)" 0 "and nowhere else"
	;;
*) skip "a 32-bit task is kept apart" "this kernel runs no 32-bit programs" ;;
esac

said=$(ringtail record -e syscalls:sys_enter_nothing -a -o /tmp/refused.data 2>&1)
like "$said" "sys_enter_nothing" "a call that does not exist is refused by name"
is "$(printf '%s\n' "$said" | wc -l)" 1 "in one line"

ok "ringtail unloads" rmmod ringtail
done_testing
