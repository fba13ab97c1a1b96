#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 mem=1024 timeout=300 flavours="debug-*" default="newest-*"
#
# Something is missing: kprobes are switched off, parts of the side-band do not work, there is no
# memory for the ring of a CPU that comes online.  The session continues if it can and reports what
# is missing; otherwise the module refuses it.

. ./lib/tap.sh
. ./lib/module.sh

insmod $MODULE || exit
insmod /rt/modules/rt_play.ko || exit
data=/results/perf.data
parameters=/sys/module/ringtail/parameters

# record OPTION… -- COMMAND…: stores the output of ringtail in $said.
record() {
	said=$(ringtail record -a -o $data "$@" 2>&1 >/dev/null)
}

# --- kprobes switched off -----------------------------------------------------------------------

switch=/sys/kernel/debug/kprobes/enabled
like "$(ringtail doctor)" 'ok +kprobes +switched on' "doctor: kprobes are on"
echo 0 >$switch
# Kretprobes, too, come through ftrace where the kernel can do that, and then do not need kprobes.
through=$(cat $parameters/ftrace)
echo 0 >$parameters/ftrace
record -e kretprobe:rt_play_number -- sh -c 'echo number 5 >/proc/rt_play'
is $? 1 "kprobes are off: a kretprobe is refused"
like "$said" "kprobes are switched off on this machine; 'echo 1 >$switch'" "with the reason, and what to do"
is "$(printf '%s\n' "$said" | wc -l)" 1 "in one line"
is "$(cat /sys/kernel/debug/kprobes/list)" "" "and no probe"
like "$(ringtail doctor)" 'note +kprobes +switched off' "doctor says so"
like "$(ringtail doctor)" "echo 1 >$switch" "and what to do"
echo "$through" >$parameters/ftrace
case $(ringtail doctor) in
*through\ ftrace*)
	record -e kprobe:rt_play_number -- sh -c 'echo number 5 >/proc/rt_play'
	like "$said" '5 events written' "function entries come through ftrace all the same"
	;;
*)
	record -e kprobe:rt_play_number -- true
	like "$said" 'kprobes are switched off' "a kprobe is refused, too"
	;;
esac
record -e sched:sched_process_exit -- true
is $? 0 "a tracepoint is recorded"
like "$said" 'not reported by the kernel, new names of tasks' "names that are missing are told of"
like "$said" 'not reported by the kernel, new mappings' "and mappings"
echo 1 >$switch

if release_since 4 4; then
	echo 0 >$parameters/ftrace
	record -e kretprobe:rt_play_number -- \
		sh -c "echo number 5 >/proc/rt_play; echo 0 >$switch; echo number 7 >/proc/rt_play"
	is $? 0 "switched off while recording"
	like "$said" '5 events written' "what came before is there"
	like "$said" 'kprobes were switched off while recording: hits of 1 events are missing' "and what is missing is told of"
	echo 1 >$switch
	echo "$through" >$parameters/ftrace
else
	skip "switched off while recording" "this kernel itself miscounts kprobes then, and warns"
fi
record -e kretprobe:rt_play_number -- sh -c 'echo number 9 >/proc/rt_play'
like "$said" '9 events written' "switched on again: all is there"
unlike "$said" 'switched off|not told' "and nothing is missing"

# --- the side-band ------------------------------------------------------------------------------

while read -r part text; do
	echo "$part" >$parameters/side_without
	record -e kprobe:rt_play_number -- sh -c 'echo number 3 >/proc/rt_play'
	is "$? $(printf '%s\n' "$said" | grep -c 'not reported by the kernel')" "0 1" "without $text: recorded, and one thing is missing"
	like "$said" "3 events written" "all events are there"
	like "$said" "not reported by the kernel, $text" "it is said what"
	like "$(ringtail doctor)" 'note +side-band' "doctor says so, too"
done <<'END'
2 new tasks
4 tasks that ended
8 new names of tasks
16 new mappings
32 modules that came or went
END
echo 62 >$parameters/side_without
record -e kprobe:rt_play_number -- sh -c 'echo number 3 >/proc/rt_play'
like "$said" "3 events written" "without any side-band: events are recorded"
is "$(printf '%s\n' "$said" | grep -c 'not reported by the kernel')" 5 "and everything that is missing is named"
echo 0 >$parameters/side_without
record -e kprobe:rt_play_number -- sh -c 'echo number 3 >/proc/rt_play'
unlike "$said" 'not told' "with all of it: nothing is missing"
like "$(ringtail doctor)" 'ok +side-band' "doctor agrees"

# --- memory -------------------------------------------------------------------------------------

is "$(field memory_used "$(info-print)")" 0 "without a session no memory is taken"
like "$(ringtail doctor)" 'ok +memory +0 of at most 64 sessions have 0 MB of at most [1-9][0-9]* MB' "doctor tells"
used() { # memory of all sessions while one records
	record --subbuffers 256 -e sched:sched_process_exit -- sh -c 'info-print >/tmp/info'
	field memory_used "$(cat /tmp/info)"
}
cpu=/sys/devices/system/cpu/cpu1/online
# Older kernels let tasks run on a new CPU only some time later.
settle='until taskset 2 true 2>/dev/null; do usleep 20000; done'
if [ -w $cpu ]; then
	both=$(used)
	echo 0 >$cpu
	one=$(used)
	ok "rings are made, and charged, for CPUs that are there: $one, of two $both" \
		[ "$both" -gt $((one * 19 / 10)) ]
	record -e kprobe:rt_play_number -- sh -c "echo 0 >$parameters/memory_percent; echo 1 >$cpu
		$settle; taskset 2 sh -c 'echo number 10 >/proc/rt_play'; taskset 1 sh -c 'echo number 4 >/proc/rt_play'"
	like "$said" '4 events written, 0 filtered out, 10 lost' "a CPU that comes when there is no memory has no ring"
	like "$said" 'lost, no ring for the CPU: 10' "and its hits are lost with that cause"
	record -e kprobe:rt_play_number -- true
	like "$said" 'more memory than sessions may have' "a session that there is no memory for is refused"
	echo 25 >$parameters/memory_percent
	echo 0 >$cpu
	record -e kprobe:rt_play_number -- sh -c "echo 1 >$cpu; $settle; taskset 2 sh -c 'echo number 10 >/proc/rt_play'"
	like "$said" '10 events written, 0 filtered out, 0 lost' "with memory it has one"
else
	skip "rings of CPUs that come" "this kernel cannot take CPUs offline"
fi
is "$(field memory_used "$(info-print)")" 0 "and everything is given back"

is "$(cat /sys/kernel/debug/kprobes/list)" "" "no probe is left"
ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
