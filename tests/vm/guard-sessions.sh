#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=180 flavours="*" default="newest-*"
#
# Several sessions record functions that the handlers of the others call.  A hit inside a handler of
# any session is lost by recursion.  So the number of hits grows with the number of sessions, but
# sessions do not multiply each other's hits.

. ./lib/tap.sh

insmod /rt/ringtail.ko || exit

# of NAME FIELD: a number that many-sessions printed.
of() { awk -v name="$1" -v field="$2" '$1 == name { for (i = 2; i < NF; i++) if ($i == field) { print $(i + 1); exit } }' /tmp/said; }

for sessions in 2 3 8 24; do
	many-sessions $sessions >/tmp/said
	is $? 0 "$sessions sessions: every hit is accounted for"
	diag "$(cat /tmp/said)"
	is "$(of getppid written)" 3 "$sessions sessions: each system call is recorded"
	is "$(of all written)" 3 "$sessions sessions: no hit inside a handler is"
	if [ "$sessions" = 2 ] && [ "$(of kernel_text_address entered)" = 0 ]; then
		skip "2 sessions: such hits are counted as recursion" "handlers do not call kernel_text_address() here"
	else
		ok "$sessions sessions: such hits are counted as recursion" [ "$(of all recursion)" -gt 0 ]
	fi
	# Each of the three sessions records stacks and strings: about ten calls of each function.
	ok "$sessions sessions: so many hits as three handlers make" [ "$(of all entered)" -lt $((sessions * 300)) ]
done

is "$(wc -l </sys/kernel/debug/kprobes/list)" 0 "no probe is left"
ok "ringtail unloads" rmmod ringtail
done_testing
