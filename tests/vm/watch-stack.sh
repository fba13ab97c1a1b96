#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" arch=arm64 smp=2 timeout=600 append="panic_on_warn=1" default="@(newest-*|6.1-*)"
#
# arm64: memory that the trap of a watch uses itself.  A watch on a kernel stack, where functions push
# their registers, or on the preemption count of a thread does not change what the thread computes.

# shellcheck disable=SC2154 # of watch.sh
. ./lib/tap.sh
. ./lib/module.sh
. ./lib/watch.sh

said='' # by watch
insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_watch_stack.ko || exit

place() { sed -n "s/^$1 //p" /proc/rt_watch_stack; }

# play COMMAND N EVENT: the thread does it while the event records.
play() {
	watch_command "echo $1 $2 >/proc/rt_watch_stack" -a -e "$3" -m 1024
	grep '\[rt_watch_stack\]' /proc/kallsyms | grep ' [tT] ' | sort >/tmp/functions
	look
	is "$(place "done") $(place wrong)" "$2 0" "$1, $3: the thread computes what it computes without a watch"
}

slot=$(place slot)
frame=$(place frame)
count=$(place count)

play push 1000 "mem:$slot/8:w"
is "$(news rt_watch_push)" "$(hexes 1 1000)" "every push"
is "$(distinct 7 rt_watch_push)" -old-last "the value before is the one that was seen last"
is "$(awk '$1 == "rt_watch_push" && NR > 1 && $5 != last { print } { last = $6 }' /tmp/hits)" "" "and it is that of the record before"
is "$(distinct 4 rt_watch_push)" w "all are writes"
unlike "$said" 'without a debug register' "the register was never given up"

play push 200 "mem:$slot/8:rw"
is "$(awk '$1 == "rt_watch_push" { print $4, $6 }' /tmp/hits | tr '\n' ' ')" \
	"$(seq 1 200 | awk '{ printf "w 0x%x r 0x%x ", $1, $1 }')" "every push and pop"

play below 200 "mem:$slot/8:w"
is "$(news rt_watch_below)" "$(hexes 1 200)" "every store below the stack pointer through another register"
is "$(distinct 7 rt_watch_below)" -old-last "the value before is the one that was seen last"

calls=1000
[ "$RT_LEVEL" = default ] || calls=20000
play call $calls "mem:$frame/8:w"
# An interrupt may come between the two traps of an access, and its entry code writes to the same bytes.
is "$(awk '$1 == "rt_watch_call"' /tmp/hits | wc -l)" "$calls" "every call of a function that saves its return address, once"
is "$(distinct 6 rt_watch_call | wc -w)" 1 "each saves the same one"

play preempt 300 "mem:$count/4:w"
if grep -q ' preempt_count_add$' /proc/kallsyms; then
	skip "every change of the preemption count by the thread" "on this kernel functions change it, for all tasks"
else
	is "$(awk '$1 == "rt_watch_run"' /tmp/hits | wc -l)" 600 "every change of the preemption count by the thread"
	is "$(news rt_watch_run | tr ' ' '\n' | sort -u | tr '\n' ' ')" "0x0 0x1 " "off and on"
	is "$(distinct 7 rt_watch_run)" -old-last "the value before is the one that was seen last"
fi
play preempt 300 "mem:$count/8:w"

if perf_works; then
	for event in "mem:$slot/8:w" "mem:$frame/8:w"; do
		perf stat -x , -o /tmp/stat -a -e "$event" sh -c 'echo push 300 >/proc/rt_watch_stack; echo call 300 >/proc/rt_watch_stack'
		counted=$(sed -n 's/^\([0-9]*\),.*/\1/p' /tmp/stat)
		watch_command 'echo push 300 >/proc/rt_watch_stack; echo call 300 >/proc/rt_watch_stack' -a -e "$event" -m 1024
		mine=$(awk '$1 == "rt_watch_push" || $1 == "rt_watch_call"' /tmp/hits | wc -l)
		ok "$event: perf, which counts an access again that traps again, counts as many ($counted) as ringtail records ($mine)" \
			[ "$counted" -ge "$mine" ]
	done
else
	perf_skip "perf counts as many"
fi

ok "rt_watch_stack unloads" rmmod rt_watch_stack
ok "ringtail unloads" rmmod ringtail
done_testing
