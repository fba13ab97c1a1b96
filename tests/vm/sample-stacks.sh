#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=600 heavy=1 default="6.1-*"
#
# Compare profiles of a program with a known hot function with those of perf: the functions, the
# stacks by frame pointers and by DWARF, the kernel's stacks.

# shellcheck disable=SC2154 # of sample.sh
. ./lib/tap.sh
. ./lib/sample.sh

clock=cpu-clock
rounds=5000

insmod /rt/ringtail.ko || exit

both -e $clock -F 999 -- rt_work hot $rounds
is "$(names $ours | most)" rt_work_hot "the hot function is on top"
is "$(names $theirs | most)" rt_work_hot "as in perf's own profile"
ok "so many samples that the rest is no accident" [ "$(names $ours | grep -c rt_work_hot)" -gt 50 ]
ok "the cooler function is there, too" [ "$(names $ours | grep -c rt_work_cool)" -gt 0 ]
is "$(periods $ours | sort -u)" 1001001 "each sample stands for 1/999 s"
is "$(samples $ours)" "$(written "$said")" "the closing line has the number of samples"
unlike "$(comms $ours)" swapper "nothing but the command is recorded"
clean_reading $ours "a profile"

both -e $clock -F 999 -g -- rt_work hot $rounds
is "$(stacks $ours | most)" "$(stacks $theirs | most)" "frame pointers: the same hot stack as perf's"
like "$(stacks $ours | most)" 'main;.*rt_work_outer;.*rt_work_hot$' "which is the program's"
clean_reading $ours "frame pointers"

both -e $clock -F 499 --call-graph dwarf -- rt_work hot $rounds
hot() { stacks $1 | grep 'rt_work_hot$' | sort -u; }
is "$(hot $ours)" "$(hot $theirs)" "DWARF: the same stacks of the hot function as perf's, and no others"
like "$(hot $ours)" '^_start;.*;main;rt_work_outer;rt_work_middle;rt_work_hot$' "they are whole"
clean_reading $ours "DWARF"
like "$(perf evlist -v -i $ours)" "sample_stack_user: 8192" "8192 bytes of stack by default"
if [ "$RT_LEVEL" != default ]; then
	both -e $clock -F 199 --call-graph dwarf,32768 -- rt_work hot $rounds
	is "$(hot $ours)" "$(hot $theirs)" "a large piece of stack: the same, too"
	like "$said" ' 0 lost' "none is too large"
fi

both -e context-switches -c 1 -g -- rt_work switch 200
# Leave out samples in which the scheduler interfered.
waiting() { stacks $1 | grep 'pipe_read;schedule$' | sort -u; }
is "$(waiting $ours)" "$(waiting $theirs)" "kernel and user stacks of waiting in a pipe are those of perf"
unlike "$(stacks $ours)" 'rt_hit|overflow|perf_swevent' "nothing of the tracer is in them"
clean_reading $ours "context switches"

# user_registers DATA: NAME:VALUE, a line each.
user_registers() { perf script -i "$1" -F uregs 2>/dev/null | tr ' ' '\n' | grep -E '^[A-Za-z0-9]+:0x' | grep -v ^ABI; }
words() { tr '\n' ' '; }

# Events that are not counters: stacks from the program to the place where a read enters the kernel.
# Left out are the caller of a probed function, which perf does not have on arm64; frames before the
# program; the dynamic loader's own reads (its function has no name), which wait only now and then;
# and the inner part of a stack that also appears whole: its outer part was not in memory then.
entered() {
	printed $1 --no-inline --comms rt_work -F ip,sym | fold |
		sed -n 's/;\(ksys_read\|[sS]y[sS]_read\);.*//p' | grep -E '(^|;)[a-z_A-Z]*read;' | sort -u |
		awk '{ line[NR] = $0 }
		function ends_early(i, j, inner) {
			inner = ";" line[i]
			for (j = 1; j <= NR; j++)
				if (substr(line[j], length(line[j]) - length(inner) + 1) == inner)
					return 1
			return 0
		}
		END { for (i = 1; i <= NR; i++) if (!ends_early(i)) print line[i] }'
}
# Where system calls have a fast path, the kernel does not save all registers of the program.  perf takes what
# it finds in their place, and ringtail writes -1: a stack may end at the function whose frame begins there.
outer='_start;.*;' fast_path=
if grep -qE ' (system_call|entry_SYSCALL_64)_fastpath$' /proc/kallsyms; then
	outer="($outer)?" fast_path="this kernel does not save all registers in system calls"
fi
both -e sched:sched_switch -g -- rt_work switch 100
if [ "$fast_path" ]; then
	skip "a tracepoint has the user's stack, too" "$fast_path"
	skip "which is that of perf" "$fast_path"
else
	like "$(entered $ours)" '.;.*read;' "a tracepoint has the user's stack, too"
	is "$(entered $ours)" "$(entered $theirs)" "which is that of perf"
fi
clean_reading $ours "a tracepoint"
both -e sched:sched_switch --call-graph dwarf -- rt_work switch 20
like "$(entered $ours)" "^${outer}main;.*read" "also by DWARF"
if [ "$fast_path" ]; then
	skip "which is that of perf" "$fast_path"
	record -e kprobe:pipe_read --user-regs=ip,sp,bx,bp,r12 -- rt_work switch 20
	user_registers $ours >/tmp/uregs
	is "$(grep -E '^(BX|BP|R12):' /tmp/uregs | sort -u | words)" "BP:0xffffffffffffffff BX:0xffffffffffffffff R12:0xffffffffffffffff " \
		"registers that it does not save are -1"
	is "$(grep -cE '^(IP|SP):0x[0-9a-f]{9,12}$' /tmp/uregs)" "$((2 * $(samples $ours)))" "the others are the program's"
elif ! release_since 4 17 && [ -z "$(entered $theirs | grep '^_start;')" ]; then
	skip "which is that of perf" "perf takes -1 for some registers on this kernel, and does not get so far"
else
	is "$(entered $ours)" "$(entered $theirs | grep '^_start;')" "which is that of perf"
fi
# The registers of the user side: where the program is in the system call.
case $(uname -m) in
aarch64) at=pc to=sp ;;
x86_64) at=ip to=sp ;;
esac
echo 0 >/proc/sys/kernel/randomize_va_space
both -e sched:sched_switch --user-regs=$at,$to -- rt_work switch 50
# A program that is interrupted when it has written the byte waits at two places, each half of the time.
places() { user_registers $1 | grep -i "^$at:" | sort | uniq -c | awk -v least=$2 '$1 >= least { print $2 }'; }
places $ours 6 >/tmp/our.places
places $theirs 1 >/tmp/their.places
like "$(cat /tmp/our.places)" '^[A-Za-z]+:0x[0-9a-f]+$' "--user-regs: where the program waits"
is "$(grep -vxFf /tmp/their.places /tmp/our.places)" "" "it does so in perf's recording, too" || diag "$(cat /tmp/their.places)"
all=$(samples $ours) with=$(user_registers $ours | grep -ci "^$at:")
ok "in $with of $all samples: not where the task has no user side any more" test $((with * 10)) -ge $((all * 9))
is "$(user_registers $ours | grep -ci "^$to:")" "$(user_registers $ours | grep -ci "^$at:")" "and the other one"
clean_reading $ours "user registers"
echo 2 >/proc/sys/kernel/randomize_va_space

# Newer kernels have another name for it.
read=$(sed -n 's/.* [tT] \(\(anon_\)\{0,1\}pipe_read\)$/\1/p' /proc/kallsyms | head -n 1)
echo "p:probe/rt_pipe_read $read" >>$TRACING/kprobe_events
record -e "kprobe:$read" -g -- rt_work switch 100
perf record -q -B -e probe:rt_pipe_read -g -o $theirs -- rt_work switch 100 2>/dev/null
like "$(entered $ours)" '.;.*read;' "a probe has the user's stack, too"
is "$(entered $ours)" "$(entered $theirs)" "which is that of perf"

both -e $clock:k -F 999 -g -- rt_work touch 20000
is "$(names $ours | grep -c rt_work)" 0 ":k leaves user space out"
both -e $clock:u -F 999 -g -- rt_work hot $rounds
is "$(facts $ours | awk '{ print $5 }' | grep -cE '^ffff[0-9a-f]{12}')" 0 ":u leaves the kernel out"

record -g -- rt_work hot $rounds
is $? 0 "without -e"
if perf stat -e cycles true 2>&1 | grep -q 'not supported'; then
	like "$said" 'no cycle counter here.* cpu-clock is sampled instead' "without cycles, cpu-clock is taken and said so"
	is "$(perf evlist -i $ours)" cpu-clock "and is in the file"
	record -e cycles:u -- rt_work hot $rounds
	is "$(perf evlist -i $ours)" cpu-clock:u "with its modifiers"
else
	is "$(perf evlist -i $ours)" cycles "cycles are taken"
fi
is "$(names $ours | most)" rt_work_hot "the hot function is on top"

ok "ringtail unloads" rmmod ringtail
done_testing
