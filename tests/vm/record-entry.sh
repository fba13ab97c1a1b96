#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 mem=1024 timeout=900 heavy=1 level=all
#
# Function entries through ftrace: beside other ftrace callbacks, with many functions, with ftrace
# switched off, and while the probed module is unloaded.  record-kprobe.sh checks that hits are the
# same as those of a kprobe.

. ./lib/tap.sh
. ./lib/module.sh
. ./lib/record.sh

case $(uname -m) in
aarch64) a=%x0 ;;
x86_64) a=%di ;;
esac
kprobes=/sys/kernel/debug/kprobes/list
switch=/proc/sys/kernel/ftrace_enabled
data=/results/perf.data
said=

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit
entry=$(bit "$(field sources "$(info-print)")" 6)
diag "through ftrace: $entry"

field() { sed -n "s/.* $1=\([^ ]*\).*/\1/p" /tmp/lines; }
words() { tr '\n' ' '; }
thousand() { # WHAT: all calls are there, in order
	is "$(field a | words)" "$(seq 0 999 | words)" "$1: 1000 calls, in order"
	like "$said" '1000 events written, 0 filtered out, 0 lost' "$1: exact numbers"
}
number="kprobe:rt_play_number a=$a:s64"
play='echo number 1000 >/proc/rt_play'

# --- beside others ------------------------------------------------------------------

# shellcheck disable=SC2016 # of the inner shell
beside='
	set -e
	cat /sys/kernel/debug/kprobes/list >/tmp/while
	echo number 1000 >/proc/rt_play'
record -e "$number" -- sh -c "$beside"
thousand alone
# The list of kprobes marks a kprobe that is not armed as DISABLED.
case $entry in
1) like "$(cat /tmp/while)" 'rt_play_number.*DISABLED' "its kprobe is there and does nothing" ;;
0) unlike "$(cat /tmp/while)" 'DISABLED' "a kprobe is armed" ;;
esac

if [ -e $TRACING/set_ftrace_filter ]; then
	echo 'rt_play_number rt_play_where' >$TRACING/set_ftrace_filter
	echo function >$TRACING/current_tracer
	record -e "$number" -- sh -c "$play"
	thousand "beside the function tracer"
	is "$(grep -c 'rt_play_number <-' $TRACING/trace)" 1000 "the function tracer has them, too"
	# A record has the preemption and interrupt state of the probed place, whatever the path to us.
	record -a -e "kprobe:rt_play:rt_play_where i=$a:s64" -- sh -c 'echo where >/proc/rt_play'
	commons $data | head -n 4 >/tmp/beside
	echo nop >$TRACING/current_tracer
	echo >$TRACING/set_ftrace_filter
	record -a -e "kprobe:rt_play:rt_play_where i=$a:s64" -- sh -c 'echo where >/proc/rt_play'
	is "$(cat /tmp/beside)" "$(commons $data | head -n 4)" "where it happens is seen the same beside it"
	is "$(wc -l </tmp/beside)" 4 "in a task, four times"
fi

echo 'p:entry_test rt_play_number' >$TRACING/kprobe_events
echo 1 >$TRACING/events/kprobes/entry_test/enable
echo >$TRACING/trace
record -e "$number" -- sh -c "$play"
thousand "beside a kprobe of ftrace's"
is "$(grep -c entry_test: $TRACING/trace)" 1000 "which has them, too"
echo 0 >$TRACING/events/kprobes/entry_test/enable
echo >$TRACING/kprobe_events

inner=$(ringtail record -e "$number" -a -o /tmp/outer.data -- \
	ringtail record -e "$number" -a -o $data -- sh -c "$play" 2>&1 >/dev/null)
is "$(printf '%s\n' "$inner" | grep -c '1000 events written, [0-9]* filtered out, 0 lost')" 2 "two sessions have all of them" ||
	diag "$inner"

record -e "$number" -e "kprobe:rt_play_number b=$a:s64" -- sh -c "$play"
like "$said" '2000 events written, 0 filtered out, 0 lost' "two events of one function"
is "$(field b | words)" "$(seq 0 999 | words)" "have the same"

# --- registers that ftrace does not pass ---------------------------------------------

if [ "$(uname -m)" = aarch64 ]; then
	# shellcheck disable=SC2016 # of the inner shell
	while_playing='cat /sys/kernel/debug/kprobes/list >/tmp/while; echo number 3 >/proc/rt_play'
	record -e "kprobe:rt_play_number a=%x0:s64 lr=%lr:x64 sp=%sp:x64 fp=%x29:x64" -- sh -c "$while_playing"
	is "$(field a | words)" "0 1 2 " "registers that a call passes"
	is "$(grep -c 'rt_play_number.*DISABLED' /tmp/while)" "$entry" "need no kprobe where ftrace gives them"
	by_call=$(field lr | sort -u) sp=$(field sp) fp=$(field fp)
	record -e "kprobe:rt_play_number a=%x0:s64 lr=%lr:x64 sp=%sp:x64 fp=%x29:x64 x=%x19:x64" -- sh -c "$while_playing"
	is "$(field a | words)" "0 1 2 " "others do"
	all=$(grep -c '^CONFIG_DYNAMIC_FTRACE_WITH_REGS=y' "/boot/config-$(uname -r)")
	is "$(grep -c 'rt_play_number.*DISABLED' /tmp/while)" "$all" "where it does not give them"
	is "$(field lr | sort -u)" "$by_call" "both see the same caller"
	ok "and stack pointers and frames of the same kind" test -n "$sp" -a -n "$fp"
	# Filters work on such entries, too.
	record -e "kprobe:rt_play_number a=%x0:s64" --filter 'a >= 2' -- sh -c "$while_playing"
	is "$(field a | words)" "2 " "filtered by a value"
fi

# --- many ---------------------------------------------------------------------------

# Not every symbol that the kernel lists as text is code in use: some are data or boot code.
bound() { sed -n "s/^\([0-9a-f]*\) . $1\$/\1/p" /proc/kallsyms; }
many=1400
[ "${RT_LEVEL:-all}" != default ] || many=300
awk -v from="x$(bound _stext)" -v to="x$(bound _etext)" \
	'$2 ~ /^[tT]$/ && $3 ~ /^[a-z0-9_]*$/ && NF == 3 && "x" $1 >= from && "x" $1 < to { print $3 }' /proc/kallsyms |
	sort | uniq -u |
	grep -E '^(vfs|ksys|do|seq|proc|ext4|tcp|udp|ip|skb|sock|inet|kmem|dev|blk|bio|elv|dma|pci|usb|scsi|ata|nfs|crypto)_' |
	head -n $many >/tmp/names
echo rt_play_number >>/tmp/names
before=$(cut -d ' ' -f 1 /proc/uptime)
probe-all sh -c "cat /proc/self/status >/dev/null; $play" </tmp/names >/tmp/said
is $? 0 "many functions: every hit is accounted for"
diag "$(cat /tmp/said), $before to $(cut -d ' ' -f 1 /proc/uptime) s"
like "$(cat /tmp/said)" 'entered [1-9][0-9][0-9][0-9]* written [1-9][0-9][0-9][0-9]' "a thousand of them at the one that plays"
ok "there were many" test "$(sed -n 's/armed \([0-9]*\) .*/\1/p' /tmp/said)" -ge $((many * 9 / 10))
is "$(wc -l <$kprobes)" 0 "no probe is left"
[ ! -e $TRACING/enabled_functions ] || is "$(cat $TRACING/enabled_functions)" "" "nor a function that is traced"

# --- ftrace switched off ------------------------------------------------------------

if [ -w $switch ]; then
	record -e "$number" -- sh -c "! echo 0 2>/dev/null >$switch || [ $entry = 0 ]; echo \$? >/tmp/refused; $play"
	thousand "ftrace cannot be switched off meanwhile"
	is "$(cat /tmp/refused)" 0 "the kernel says so"
	echo 0 >$switch
	record -e "$number" -- sh -c "$play"
	case $?$(uname -m) in
	0aarch64) thousand "ftrace switched off: by a kprobe" ;;
	*x86_64) like "$said" 'while kernel.ftrace_enabled is 0' "ftrace switched off: refused, kprobes would be deaf" ;;
	*) is "$said" "" "ftrace switched off: a recording" ;;
	esac
	echo 1 >$switch
fi

# --- the probed module is unloaded --------------------------------------------------

again="$play; rmmod rt_play; insmod /rt/modules/rt_play.ko; $play"
record -e "kprobe:rt_play:rt_play_number a=$a:s64" -a -- sh -e -c "$again"
is "$(field a | words)" "$(seq 0 999 | words)$(seq 0 999 | words)" "named with its module: recorded before and after"
like "$said" '2000 events written, 0 filtered out, 0 lost' "exactly"
# shellcheck disable=SC2034 # of record.sh
record -e "$number" -a -- sh -e -c "$again"
is "$(field a | words)" "$(seq 0 999 | words)$(seq 0 999 | words)" "named without it, too: the program knows the module"

is "$(cat $kprobes)" "" "no probe is left"
ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
is "$(words_of_ours)" "" "the kernel's log has nothing to say"
done_testing
