#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=420 heavy=1 level=all
#
# The context in which an event fired, targets, and what a record carries besides its fields.

. ./lib/tap.sh
. ./lib/record.sh

case $(uname -m) in
aarch64) a=%x0 first=x0 second=x1 pc=pc ;;
x86_64) a=%di first=DI second=SI pc=IP ;;
esac
data=/results/perf.data

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

field() { sed -n "s/.* $1=\([^ ]*\).*/\1/p" /tmp/lines; }
words() { tr '\n' ' '; }

# --- task, softirq, hardirq; preemption and interrupts off -------------------------

for level in task softirq hardirq; do
	record -a -e "kprobe:rt_play:rt_play_where i=$a:s64" --filter "context == $level" -- sh -c 'echo where >/proc/rt_play'
	case $level in
	task) want='0 1 3 4 ' ;;
	softirq) want='5 ' ;;
	hardirq) want='6 ' ;;
	esac
	is "$(field i | words)" "$want" "what happens in a $level is known to"
	like "$said" ', 0 lost' "and nothing is lost"
done

record -a -e "kprobe:rt_play:rt_play_where i=$a:s64" -- sh -c 'echo where >/proc/rt_play'
is "$(field i | words)" "0 1 3 4 5 6 " "all six places"
commons $data >/tmp/common
flags() { sed -n "$1s/ .*//p" /tmp/common; }
depth() { sed -n "$1s/.* //p" /tmp/common; }
is "$(wc -l </tmp/common)" 6 "six records to look into"
is "$(flags 1)" 00 "a task, interrupts on"
is "$(flags 4)" 01 "interrupts off"
is "$((0x$(flags 5) & 0x10))" 16 "a softirq"
is "$((0x$(flags 6) & 0x19))" 9 "a hardirq, interrupts off"
ringtail script -q -i $data -F context,trace >/tmp/shown
is "$(sed 's/^ *\([a-z]*\)\/.*/\1/' /tmp/shown | words)" "task task task task softirq hardirq " "-F context shows where each was"
is "$(sed 's/^ *[a-z]*\/\([0-9]*\) .*/\1/' /tmp/shown | words)" "$(for n in 1 2 3 4 5 6; do echo $((0x$(depth $n))); done | words)" \
	"and how deep preemption was off"
is "$(ringtail script -q -i $data --json | sed -n 's/.*"context":"\([a-z]*\)".*/\1/p' | words)" \
	"task task task task softirq hardirq " "--json has it"
is "$(ringtail script -q -i $data --csv | sed -n '2,$s/.*,\([a-z]*\),[0-9]*$/\1/p' | words)" \
	"task task task task softirq hardirq " "--csv has it"
# The probe and some frames of its stack are in a module.
record -g -a -e "kprobe:rt_play:rt_play_where i=$a:s64" -- sh -c 'echo where >/proc/rt_play'
is "$(ringtail script -q -i $data -F ip,sym,dso | grep -c 'rt_play_.* (\[rt_play\])' | sed 's/^0$/none/')" \
	"$(ringtail script -q -i $data -F ip,sym,dso | grep -c ' rt_play_[a-z]* ' | sed 's/^0$/some/')" "frames in a module show its name"
case $(depth 1) in
00)
	case "$(depth 2)" in
	01)
		is "$(depth 3)" 03 "preemption off once, and three times"
		record -a -e "kprobe:rt_play:rt_play_where i=$a:s64" -- \
			sh -c 'for n in 62 63 64 200; do echo deep $n >/proc/rt_play; done'
		commons $data >/tmp/common
		is "$(depth 1) $(depth 2) $(depth 3) $(depth 4)" "3e 3f 40 c8" "and as often as the kernel counts"
		is "$(field i | words)" "62 63 64 200 " "with the fields behind it"
		;;
	*) is "$(depth 2) $(depth 3)" "00 00" "this kernel does not count how often preemption is off" ;;
	esac
	;;
*) is "$(depth 1)" 00 "preemption on: the tracer's own switching it off is not counted" ;;
esac

# --- an NMI, at a probe that a jump has replaced ------------------------------------

if [ "$(uname -m)" = x86_64 ] && [ "$(cat /proc/sys/debug/kprobes-optimization)" = 1 ]; then
	step="kprobe:rt_play:rt_play_step_1"
	# shellcheck disable=SC2016 # of the inner shell
	optimised='i=0; until grep -q "rt_play.*OPTIMIZED" /sys/kernel/debug/kprobes/list || [ $i = 100 ]; do
		i=$((i + 1)); usleep 50000; done; grep -c "rt_play.*OPTIMIZED" /sys/kernel/debug/kprobes/list >/tmp/optimised
		usleep 200000; echo nmi 3 >/proc/rt_play; echo steps 2 >/proc/rt_play'
	record -a -e "$step v=%cx:s64" --filter "context == nmi" -- sh -c "$optimised"
	is "$(cat /tmp/optimised)" 1 "the probe is optimised"
	is "$(field v | words)" "1 1 1 " "what happens in an NMI is known to"
	record -a -e "$step v=%cx:s64" --filter "context == task" -- sh -c "$optimised"
	is "$(field v | words)" "0 1 " "and so is what happens in a task"
fi

# --- registers ---------------------------------------------------------------------

record -I -e kprobe:rt_play:rt_play_number -- sh -c 'echo number 3 >/proc/rt_play'
perf_events -F iregs -i $data >/tmp/registers 2>/dev/null
register() { sed -n "s/.* $1:0x\([0-9a-f]*\).*/\1/p" /tmp/registers; }
is "$(register $first | words)" "0 1 2 " "registers: the first argument"
is "$(register $second | words)" "0 2 4 " "and the second"
is "$(register $pc | sort -u)" "$(entry_of rt_play_number)" \
	"the program counter is the probe's address"
said=$(ringtail record -I -e sched:sched_switch -a -o /tmp/refused.data 2>&1)
is $? 1 "a tracepoint has none: refused"
like "$said" 'cannot carry' "with the reason"

# --- targets: -C, -p, -t, -i -------------------------------------------------------

probe=kprobe:rt_play:rt_play_number
play='echo number 3 >/proc/rt_play'
record -C 1 -e $probe -- sh -c "taskset 1 sh -c '$play'; taskset 2 sh -c '$play'; taskset 2 sh -c '$play'"
is "$(sed -n 's/.* \[\([0-9]*\)\] .*/\1/p' /tmp/lines | sort | uniq -c | tr -s ' ')" " 6 001" "-C 1: only that CPU"
like "$said" '6 events written, [3-9] filtered out' "the others are counted"

# A shell that waits until /tmp/go is written; then it and its child do the work.
waiting() {
	mkfifo /tmp/go /tmp/over
	sh -c "read x </tmp/go; $play; sh -c '$play'; echo >/tmp/over" &
	task=$!
}
for way in "-p" "-t" "-p -i" "-t -i"; do
	waiting
	# shellcheck disable=SC2086 # words are meant
	case $way in
	*-i) set -- -i ${way%-i} $task; want=3 ;;
	*) set -- $way $task; want=6 ;;
	esac
	record "$@" -e $probe -- sh -c "$play; echo >/tmp/go; read x </tmp/over"
	is "$(grep -c rt_play_number: /tmp/lines)" $want "$way: $want of 9 calls, those of the task$([ $want = 3 ] || echo ' and its child')"
	wait $task
	rm /tmp/go /tmp/over
done
said=$(ringtail record -p 99999 -e $probe -o /tmp/refused.data 2>&1)
is $? 1 "a task that is not there: refused"
like "$said" '99999.*no such task' "and named"

# --- a pipe ------------------------------------------------------------------------

ringtail record -q -e "$probe a=$a:s64" -o - -- sh -c "$play" >/tmp/pipe.data
cat /tmp/pipe.data | perf_events -i - >/tmp/lines 2>/tmp/warnings
is "$(field a | words)" "0 1 2 " "-o -: perf reads it from a pipe"

# --- stacks without the kernel's walker --------------------------------------------

rmmod ringtail
insmod /rt/ringtail.ko lookup=0 || exit
record -g -e kprobe:rt_play:rt_play_inner -- sh -c 'echo stack 2 >/proc/rt_play'
is $? 0 "lookup=0: a recording with stacks"
inner=$(entry_of rt_play_inner)
is "$(grep -c "^	 *$inner " /tmp/lines)" 2 "each begins at the probe"
case $(uname -m) in
aarch64) like "$(cat /tmp/lines)" 'rt_play_outer|play' "and goes on along the frame pointers" ;;
esac
record -g -e sched:sched_switch -- rt-known
is $? 0 "lookup=0: tracepoints with stacks"
unlike "$(sed -n '/sched_switch:/{n;p}' /tmp/lines | sort -u)" 'ringtail|rt_' "without our frames"

is "$(cat /sys/kernel/debug/kprobes/list)" "" "no probe is left"
ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
