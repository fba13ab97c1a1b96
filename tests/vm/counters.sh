#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 icount=1 mem=1024 timeout=900 flavours="debug-*" default="newest-*"
#
# Counters have limits: how many, of which PMUs, what they are charged, what their programs may cost together.
# ENABLE of all of them is fast, and another session does not wait for it.

. ./lib/tap.sh

insmod /rt/ringtail.ko || exit

for part in limits times; do
	# Instructions of a kernel that checks itself are not those of others.
	if [ $part = times ] && [ -e /sys/kernel/debug/kmemleak ]; then
		skip "what counters take" "the kernel checks itself"
		continue
	fi
	counters-check $part >/tmp/said
	is $? 0 "counters-check $part"
	diag "$(cat /tmp/said)"
	like "$(tail -n 1 /tmp/said)" '^1\.\.[0-9]+$' "and all of it was looked at"
done

type=$(cat /sys/bus/event_source/devices/kprobe/type 2>/dev/null) || type=
if [ "$type" ]; then
	said=$(ringtail record -e kprobe/config=0,config1=1/ -a --duration 1s -o /tmp/refused.data 2>&1)
	ok "record refuses the PMU of kprobes" [ $? != 0 ]
	like "$said" 'does not sample this PMU|no event|-e kprobe:' "and says what to do"
	is "$(printf '%s\n' "$said" | wc -l)" 1 "in one line"
else
	skip "record and the PMU of kprobes" "this kernel has none"
fi
ok "ringtail unloads" rmmod ringtail
done_testing
