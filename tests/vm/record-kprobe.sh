#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="!(kcsan-*)" smp=2 timeout=600 default="@(5.10-*|6.1-*)"
#
# Kprobes and kretprobes from the command line to perf's output: counts, values, order,
# strings, faults, stacks, filters, and what is refused.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

case $(uname -m) in
aarch64) a=%x0 b=%x1 pc=%pc back=%lr ;;
x86_64) a=%di b=%si pc=%ip back=\$stack0 ;;
esac
data=/results/perf.data

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

# Record while rt_play plays; the summary is in $said, perf's lines in /tmp/lines.
record() { # WHAT-TO-PLAY OPTION…
	play=$1
	shift
	said=$(ringtail record "$@" -o $data -- sh -c "echo $play >/proc/rt_play" 2>&1)
	status=$?
	perf_reads $data "$@"
	is $status 0 "record $play: status" || diag "$said"
	is "$(cat /tmp/warnings)" "" "record $play: perf reads it without a warning"
}

field() { sed -n "s/.* $1=\([^ ]*\).*/\1/p" /tmp/lines; }

record 'number 1000' -e "kprobe:rt_play_number a=$a:s64 b=$b:s64"
is "$(grep -c 'probe:rt_play_number: (' /tmp/lines)" 1000 "1000 calls are 1000 events"
is "$(field a | tr '\n' ' ')" "$(seq 0 999 | tr '\n' ' ')" "the first argument, in order"
is "$(field b | tr '\n' ' ')" "$(seq 0 2 1998 | tr '\n' ' ')" "the second argument"
like "$said" '1000 events written, 0 filtered out, 0 lost' "the closing line has exact numbers"
address=$(entry_of rt_play_number)
is "$(sed -n 's/.*probe:rt_play_number: (\([0-9a-f]*\)).*/\1/p' /tmp/lines | sort -u)" "$address" \
	"the address is the function's own"

record 'number 100' -e "kretprobe:rt_play:rt_play_number ret=\$retval:s64"
is "$(field ret | tr '\n' ' ')" "$(seq 0 -1 -99 | tr '\n' ' ')" "return values, signed, in order"

record 'string hello' -e "kprobe:rt_play:rt_play_string text=+0($a):string"
is "$(field text)" '"hello"' "a string"
record fault -e "kprobe:rt_play:rt_play_string text=+0($a):string"
is "$(field text)" '"(fault)"' "a string that cannot be read says so"

record 'stack 3' -g -e kprobe:rt_play:rt_play_inner
# perf finds the names of a module without a file only after its first lookup in the kernel.
is "$(sed -n 's/^\t *[0-9a-f]* \(rt_play_[a-z]*\)+0x[0-9a-f]* (.*/\1/p' /tmp/lines | tail -n 3 | tr '\n' ' ')" \
	"rt_play_inner rt_play_middle rt_play_outer " "the stack begins at the probe, without our frames"
inner=$(entry_of rt_play_inner)
is "$(grep -A 1 probe:rt_play_inner: /tmp/lines | grep -c "^	 *$inner ")" 3 "every one of three"
unlike "$(cat /tmp/lines)" 'ringtail\]|kprobe_hit|rt_hit' "nothing of the tracer is in it"

record 'number 1000' -e "kprobe:rt_play_number a=$a:s64" --filter 'a < 10'
is "$(field a | tr '\n' ' ')" "0 1 2 3 4 5 6 7 8 9 " "a filter lets through what it says"
like "$said" '10 events written, 990 filtered out, 0 lost' "and the rest is counted"
record 'number 100' -e "kprobe:rt_play_number a=$a:s64" --filter '(a & 1) && a >= 90 || a == 2'
is "$(field a | tr '\n' ' ')" "2 91 93 95 97 99 " "a filter of several conditions"
record 'number 10' -e "kprobe:rt_play_number a=$a:s64" --filter 'comm == "nobody"'
like "$said" '0 events written, 10 filtered out' "a filter on the task's name"

said=$(ringtail record -e kretprobe:rt_play:rt_play_nested --instances 4 -a -o $data -- \
	sh -c 'echo nested 20 >/proc/rt_play' 2>&1)
like "$said" '4 events written' "as many returns as there are instances"
like "$said" 'not delivered by the kernel, kretprobe instances exhausted.*: at least 16' "the others are counted"

# A function entry, through ftrace if that passes all registers, and with a kprobe.
way=/sys/module/ringtail/parameters/ftrace
both_ways() { # WHAT PLAY FIELDS OPTION…
	what=$1 play=$2 fields=$3
	shift 3
	for by in Y N; do
		echo $by >$way
		ringtail record "$@" -o $data -- sh -c "echo $play >/proc/rt_play" >/tmp/closing 2>&1
		{
			ringtail script -F "$fields" -i $data
			grep 'events written' /tmp/closing | sed 's/.*: //; s/;.*//'
			# Interrupts may arrive at another moment.
			[ "$play" != where ] || commons $data | head -n 4
		} >/results/by-$by
	done
	echo Y >$way
	is "$(diff /results/by-Y /results/by-N | head -n 8)" "" "both ways: $what, $(wc -l </results/by-Y) lines"
}
both_ways "values" 'number 200' event,trace -e "kprobe:rt_play_number a=$a b=$b pc=$pc back=$back comm=\$comm"
like "$(tail -n 300 /results/by-Y)" 'a=0xc7 b=0x18e pc=0x[0-9a-f]* back=0x[0-9a-f]*' "and they are there"
both_ways "strings" 'string hello' event,trace -e "kprobe:rt_play:rt_play_string text=+0($a):string"
both_ways "stacks" 'stack 3' event,trace,ip,sym -g -e "kprobe:rt_play_inner i=$a" -e "kprobe:rt_play_middle i=$a"
both_ways "a filter on the caller" 'stack 20' event,trace -e "kprobe:rt_play_inner i=$a" --filter 'caller == rt_play:rt_play_middle'
both_ways "one that no caller passes" 'stack 20' event,trace -e "kprobe:rt_play_inner i=$a" --filter 'caller == rt_play:rt_play_outer'
both_ways "context" where event,trace -a -e "kprobe:rt_play_where i=$a:s64"
interrupts='softirq hardirq'
# There both run in threads.
[ ! -e /sys/kernel/realtime ] || interrupts='task task'
is "$(ringtail script -q -i $data -F context,trace | sed 's/^ *\([a-z]*\).*/\1/' | tr '\n' ' ')" \
	"task task task task $interrupts " "a kprobe knows the context of each"

refused 'no function of that name' -e kprobe:no_such_function
refused 'at most 4096' -e kretprobe:rt_play_number --instances 5000
refused 'no probe can be put there|middle of an instruction' -e kprobe:rt_play_number+1
# Forbidden functions are known before anything is looked up for the other events, and all at once.
forbidden=
for function in $(awk '{ print $2 }' /sys/kernel/debug/kprobes/blacklist | sort -u | grep -v '[.]' | head -n 60); do
	[ "$(grep -c " $function\$" /proc/kallsyms)" = 1 ] || continue
	case $(ringtail record --dry-run -a -e "kprobe:$function" -o /tmp/none 2>&1) in *'no probe can be put there'*) forbidden="$forbidden $function" ;; esac
	[ "$(echo $forbidden | wc -w)" -lt 2 ] || break
done
if [ "$(echo $forbidden | wc -w)" = 2 ]; then
	# shellcheck disable=SC2086 # two words
	set -- $forbidden
	refused "record: $1, $2: refused: no probe can be put there.*leave these functions out" -e kprobe:no_such_function -e "kprobe:$1" -e kprobe:rt_play_number -e "kretprobe:$2"
	refused "record: $1: refused: no probe can be put there.*leave this function out" -e "kprobe:no_such_function,kprobe:$1"
else
	skip "two forbidden functions" "this kernel has no list of them, or no two with a name of their own"
fi

is "$(cat /sys/kernel/debug/kprobes/list)" "" "no probe is left"
ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
