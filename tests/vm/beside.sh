#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=600 default="newest-*"
#
# Other tracers keep working: perf, ftrace, BPF programs and a debugger use the same function and
# address before, during and after ringtail sessions.  All must count the same.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/modules/rt_play.ko || exit
insmod /rt/modules/rt_watch_play.ko || exit
insmod /rt/ringtail.ko || exit
word=$(sed -n 's/^word //p' /proc/rt_watch_play)
other=$(sed -n 's/^other //p' /proc/rt_watch_play)
# Without address randomisation the variable has the same address in every run.
echo 0 >/proc/sys/kernel/randomize_va_space
read -r _ value beside _ <<END
$(watched)
END
# If an access hits several watches, an emulated x86 reports only one: put ours next to theirs.
case $(uname -m) in
aarch64) our_word=$word our_value=$value ;;
*) our_word=$other our_value=$beside ;;
esac
ftrace=$([ -e $TRACING/set_ftrace_filter ] && echo 1 || echo 0)

# Run the other tracers one after the other: each prints a line "WHO COUNT".
cat >/tmp/others <<'END'
TRACING=$1 word=$2 value=$3 ftrace=$4 bpf_watch=$5
play='echo number 1000 >/proc/rt_play'
write='echo plain 50 >/proc/rt_watch_play; echo others 50 >/proc/rt_watch_play'

echo 'p:beside rt_play_number' >$TRACING/kprobe_events
id=$(cat $TRACING/events/kprobes/beside/id)
counted() { sed -n 's/^\([0-9]*\),.*/\1/p'; }
echo "perf-kprobe $(perf stat -a -x , -e kprobes:beside -- sh -c "$play" 2>&1 | counted)"
echo "perf-watch $(perf stat -a -x , -e "mem:$word/8:w" -- sh -c "$write" 2>&1 | counted)"

echo >$TRACING/trace
echo 1 >$TRACING/events/kprobes/beside/enable
sh -c "$play"
echo 0 >$TRACING/events/kprobes/beside/enable
echo "ftrace-kprobe $(grep -c beside: $TRACING/trace)"
echo >$TRACING/trace
if [ "$ftrace" = 1 ]; then
	echo rt_play_number >$TRACING/set_ftrace_filter
	echo function >$TRACING/current_tracer
	sh -c "$play"
	echo "ftrace-function $(grep -c 'rt_play_number <-' $TRACING/trace)"
	echo nop >$TRACING/current_tracer
	echo >$TRACING/set_ftrace_filter
fi
echo "bpf-kprobe $(bpf-beside "event:$id" sh -c "$play" 2>&1 | sed 's/.* //')"
if [ "$bpf_watch" = 1 ]; then
	echo "bpf-watch $(bpf-beside "$word" sh -c "$write" 2>&1 | sed 's/.* //')"
else
	sh -c "$write"
fi
echo >$TRACING/kprobe_events

echo "debugger $(debugger "$value" watched | tail -n 1)"
END
# If an interrupt arrives between the trap and the step over the access, arm64 traps again.  perf,
# BPF programs and debuggers count that, so they may count a few more accesses, never fewer.
alike() {
	case $(uname -m) in
	aarch64) awk '/watch/ && $2 >= 50 && $2 < 60 { $2 = 50 } /debugger/ && $2 >= 10 && $2 < 13 { $2 = 10 } { print }' "$1" ;;
	*) cat "$1" ;;
	esac
}
# An arm64 kernel that lacks RT_SOURCE_WATCH_EXECUTION (bit 13) does not step over an access that a BPF
# program watches, but repeats it without end.
bpf_watch=1
[ "$(uname -m)" != aarch64 ] || module_offers 13 || bpf_watch=0
others() { sh /tmp/others $TRACING "$word" "$value" "$ftrace" $bpf_watch 2>&1; }

others >/tmp/counts
alike /tmp/counts >/tmp/before
diag "$(tr '\n' ' ' </tmp/before)"
alone() { # WHO COUNT
	is "$(sed -n "s/^$1 //p" /tmp/before)" "$2" "$1 counts, alone"
}
for who in ftrace-kprobe $([ "$ftrace" = 0 ] || echo ftrace-function); do
	alone "$who" 1000
done
if perf_works; then
	alone perf-kprobe 1000
	alone perf-watch 50
else
	perf_skip "perf counts, alone"
fi
# BPF programs came to kprobes with 4.1 and to breakpoints with 4.13.  On older kernels bpf-beside only
# runs its command.
if grep -q ' kprobe_prog_func_proto' /proc/kallsyms; then
	alone bpf-kprobe 1000
else
	skip "bpf-kprobe counts, alone" "this kernel has no BPF programs for kprobes"
fi
if [ $bpf_watch = 0 ]; then
	skip "bpf-watch counts, alone" "this kernel does not step over what a BPF program watches"
elif release_since 4 13; then
	alone bpf-watch 50
else
	skip "bpf-watch counts, alone" "this kernel has no BPF programs for breakpoints"
fi
ok "the debugger stops, alone" test "$(sed -n 's/^debugger //p' /tmp/before)" -ge 10

plays=$((3 + ftrace))
record -a -e kprobe:rt_play_number -e "mem:$our_word/8:w" -- \
	sh -c "sh /tmp/others $TRACING $word $value $ftrace $bpf_watch >/tmp/during 2>&1"
is $? 0 "recorded beside them" || diag "$said"
is "$(alike /tmp/during)" "$(cat /tmp/before)" "during a session of ours they count the same"
is "$(grep -c rt_play_number: /tmp/lines)" $((1000 * plays)) "and we count every call"
is "$(grep -c watch:mem /tmp/lines)" 100 "and every write"
like "$said" ', 0 lost' "nothing is lost"

said=$(ringtail record -e "mem:$our_value/8:w" -o /results/perf.data -- \
	sh -c "sh /tmp/others $TRACING $word $value $ftrace $bpf_watch >/tmp/during 2>&1" 2>&1)
is "$(alike /tmp/during)" "$(cat /tmp/before)" "with the variable that the debugger watches watched by us, or its neighbour"
writes=$(perf_events -i /results/perf.data 2>/dev/null | grep -c watch:mem)
ok "whose writes we see ($writes)" test "$writes" -ge 30

# The kernel can measure the run time of BPF programs; that must not disturb ours.
if [ -e /proc/sys/kernel/bpf_stats_enabled ]; then
	echo 1 >/proc/sys/kernel/bpf_stats_enabled
	record -a -e "mem:$word/8:w" -- sh -c 'echo plain 50 >/proc/rt_watch_play'
	is "$(grep -c watch:mem /tmp/lines)" 50 "watched while the kernel counts for BPF programs"
	echo 0 >/proc/sys/kernel/bpf_stats_enabled
fi

ok "ringtail unloads" rmmod ringtail
others >/tmp/after
is "$(alike /tmp/after)" "$(cat /tmp/before)" "after ours they count the same"
rmmod rt_play rt_watch_play
done_testing
