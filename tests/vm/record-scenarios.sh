#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=420 modprobe=brd default="5.10-*"
#
# Typical uses of probes and filters, from the command line to perf's output.

. ./lib/tap.sh
. ./lib/record.sh
. ./lib/opens.sh

case $(uname -m) in
aarch64) size=%x2 path=%x1 step=%x0 ;;
x86_64) size=%dx path=%si step=%cx ;;
esac
# Before 4.1 tcp_sendmsg() has another argument before the others.
release_since 4 1 || case $(uname -m) in aarch64) size=%x3 ;; x86_64) size=%cx ;; esac

insmod /rt/ringtail.ko || exit

field() { sed -n "s/.* $1=\([^ ]*\).*/\1/p" /tmp/lines; }
words() { tr '\n' ' '; }

# --- sizes of tcp_sendmsg, task by task, in order ----------------------------------

said=$(ringtail record -e "kprobe:tcp_sendmsg size=$size:u64" -o /results/perf.data -- rt-send 2>&1 >/tmp/sent)
perf_events -F tid,event,trace -i /results/perf.data >/tmp/lines 2>/dev/null
is "$(wc -l </tmp/sent)" 2 "two tasks sent"
while read -r pid sizes; do
	is "$(sed -n "s/^ *$pid .* size=\([0-9]*\).*/\1/p" /tmp/lines | words)" "$sizes " "the sizes that $pid sent, in order"
done </tmp/sent
like "$said" '24 events written, 0 filtered out, 0 lost' "and no more"

# --- the paths that a program opens ------------------------------------------------

record -e "kprobe:$OPENS path=+0($path):ustring" -- rt-known /etc/passwd '/a b' - /nowhere
is "$(field path | tail -n 4 | words)" '"/etc/passwd" "/a "(fault)" "/nowhere" ' "paths in order, and a bad pointer"
like "$(cat /tmp/lines)" 'path="/a b"' "quoted: one may have a blank in it"

# --- return values -----------------------------------------------------------------

insmod /rt/modules/rt_play.ko || exit
record -e "kretprobe:rt_play:rt_play_string ret=\$retval" -- sh -c 'echo fault >/proc/rt_play; echo string hello >/proc/rt_play'
is "$(field ret | words)" "-14 5 " "return values, an errno with its sign"

# --- several places in one function ------------------------------------------------

# For /proc/kallsyms, another symbol inside the function ends it: offsets count from that symbol.
record -e "kprobe:rt_play:rt_play_step_1 i=$step:s64" -e "kprobe:rt_play:rt_play_step_1+4 i=$step:s64" \
	-e kprobe:rt_play:rt_play_steps -- sh -c 'echo steps 5 >/proc/rt_play'
is "$(sed -n 's/.*probe:rt_play_step_1: .* i=\([0-9]*\)/\1/p' /tmp/lines | words)" "0 1 2 3 4 " "the value at the first place"
is "$(sed -n 's/.*probe:rt_play_step_1_1: .* i=\([0-9]*\)/\1/p' /tmp/lines | words)" "100 101 102 103 104 " "at the second, after it"
is "$(grep -c 'probe:rt_play_steps: ' /tmp/lines)" 5 "and the function's entry beside them"
is "$(sed -n 's/.*probe:rt_play_step_1_1: (\([0-9a-f]*\)).*/\1/p' /tmp/lines | sort -u)" \
	"$(printf '%x' $((0x$(address_of rt_play_step_1) + 4)))" "each has its own address"
said=$(ringtail record -e "kprobe:rt_play:rt_play_step_1+1" -a -o /tmp/refused.data 2>&1)
is $? 1 "between two instructions: refused"
like "$said" 'middle of an instruction|no probe can be put there' "with the reason"

# --- the code before, during and after a recording ---------------------------------

code() { cat /proc/rt_play; }
code >/tmp/untouched
ringtail record -e kprobe:rt_play:rt_play_number -e kprobe:no_such_function -a -o /tmp/refused.data 2>/dev/null
is "$(code)" "$(cat /tmp/untouched)" "a refused recording leaves the code alone"
record -e kprobe:rt_play:rt_play_number -- sh -c 'cat /proc/rt_play >/tmp/while'
unlike "$(cat /tmp/while)" "^$(cat /tmp/untouched)\$" "while recording the code has the probe in it"
is "$(code)" "$(cat /tmp/untouched)" "afterwards it is as it was"
# The command kills the agent and continues after it.
ringtail record -q -e kprobe:rt_play:rt_play_number -o /tmp/killed.data -- \
	sh -c 'cat /proc/rt_play >/tmp/while; kill -9 $PPID'
unlike "$(cat /tmp/while)" "^$(cat /tmp/untouched)\$" "once more"
is "$(code)" "$(cat /tmp/untouched)" "so it is after kill -9"
is "$(cat /sys/kernel/debug/kprobes/list)" "" "no probe is left"

# --- a module that is unloaded while it is recorded --------------------------------

record -e "kprobe:rt_play:rt_play_number" -- sh -c 'echo number 7 >/proc/rt_play; rmmod rt_play
	insmod /rt/modules/rt_play.ko; echo number 8 >/proc/rt_play; rmmod rt_play'
is "$(grep -c 'probe:rt_play_number: ' /tmp/lines)" 15 "before it went, and after it came back"

# By its file, whatever the name of the file is.
cp /rt/modules/rt_play.ko /tmp/copy.ko
record -e "kprobe:/tmp/copy.ko:rt_play_number" -- sh -c 'insmod /tmp/copy.ko; echo number 6 >/proc/rt_play; rmmod rt_play'
is "$(grep -c 'probe:rt_play_number: ' /tmp/lines)" 6 "a module by its file"

# --- every program that is executed ------------------------------------------------

record -e sched:sched_process_exec -- sh -c 'for i in 1 2 3; do /bin/true; done; /bin/uname >/dev/null; exec /bin/false'
is $? 1 "the exit status is the command's"
is "$(sed -n 's/.*filename=\([^ ]*\).*/\1/p' /tmp/lines | sed 's/.*\///' | words)" "sh true true true uname false " \
	"every program once, in order"

# --- filters on fields of tracepoints ----------------------------------------------

record -e syscalls:sys_enter_write --filter 'count < 10' -- sh -c 'echo short; echo something longer; echo 123456789'
# perf 6.1 cannot parse the print format of newer kernels and shows the fields, flags by name.
is "$(sed -n 's/.*count[:=] *\(0x0*\)*\([0-9a-f]*\).*/\2/p' /tmp/lines | words)" "6 " "count < 10: only the short one" ||
	diag "$(cat /tmp/lines)"
like "$said" '1 events written, [2-9] filtered out, 0 lost' "the others are counted"

device=$(cat /sys/block/ram1/dev 2>/dev/null)
io='dd if=/dev/zero of=/dev/ram1 bs=4k count=4 conv=fsync; dd if=/dev/zero of=/dev/ram2 bs=4k count=2 conv=fsync
	dd if=/dev/ram2 of=/dev/null bs=4k count=1 iflag=direct'
case $device in
"") skip "filters on block devices" "this kernel has no brd" ;;
*)
	[ -b /dev/ram1 ] || mknod /dev/ram1 b 1 1
	[ -b /dev/ram2 ] || mknod /dev/ram2 b 1 2
	record -a -e block:block_bio_queue -- sh -c "$io"
	total=$(grep -c block_bio_queue /tmp/lines)
	writes=$(grep -c 'block_bio_queue: 1,[12] [A-Z]*W[A-Z]* ' /tmp/lines)
	record -a -e block:block_bio_queue --filter 'rwbs ~ "*W*"' -- sh -c "$io"
	is "$(grep -c 'block_bio_queue: 1,[12] [A-Z]*W[A-Z]* ' /tmp/lines)" "$(grep -c block_bio_queue /tmp/lines)" \
		"rwbs ~ \"*W*\": nothing but writes"
	ok "and there were others" test "$writes" -gt 0 -a "$writes" -lt "$total"
	unlike "$said" ', 0 filtered out' "which were counted"
	record -a -e block:block_bio_queue --filter "dev == $device" -- sh -c "$io"
	ok "dev == $device: there are some" test -s /tmp/lines
	is "$(grep -c 'block_bio_queue: 1,1 ' /tmp/lines)" "$(grep -c block_bio_queue /tmp/lines)" "dev == $device: only that device"
	;;
esac

record -e syscalls:sys_enter_openat --filter 'flags & 0x40' -- sh -c 'echo new >/tmp/created; cat /tmp/created'
ok "a bit of the flags: there are some" test -s /tmp/lines
is "$(grep -cE 'flags: (0x[0-9a-f]*[4567cdef][0-9a-f],|[A-Z_|]*O_CREAT)' /tmp/lines)" "$(grep -c . /tmp/lines)" "only those that have it"
unlike "$said" ', 0 filtered out' "the others are counted"

ok "ringtail unloads" rmmod ringtail
done_testing
