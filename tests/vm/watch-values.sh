#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" arch=x86_64 smp=2 timeout=600 default="@(newest-*|6.1-*)"
#
# x86: after writes that no watch sees, every record has the true instruction and the true values,
# or a flag.  The workloads report the truth about each access.

# shellcheck disable=SC2154 # of watch.sh
. ./lib/tap.sh
. ./lib/module.sh
. ./lib/watch.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_watch_kinds.ko || exit

place() { sed -n "s/^$1 //p" /proc/rt_watch_kinds; }
word=$(place word)
slot=$(place slot)

# The records in the form in which the workloads report.
seen() { awk '{ print $1, $4, $5, $6, $7 }' /tmp/raw; }

check() { # WHAT-TO-PLAY EVENT DESCRIPTION
	said=$(ringtail record -e "$2" -a -o $data -- sh -c "echo $1 >/proc/rt_watch_kinds" 2>&1)
	is $? 0 "$1: recorded" || diag "$said"
	look
	seen >/tmp/seen
	grep '^ffff' /proc/rt_watch_kinds >/tmp/truth
	ok "$3" cmp /tmp/truth /tmp/seen || diff /tmp/truth /tmp/seen | sed 's/^/# /'
	ok "there is something to compare" [ -s /tmp/truth ]
	if ! perf_works; then
		perf_skip "perf counts as many"
		return
	fi
	# Not in the same run: QEMU reports only one of two watches on one address.
	perf stat -x, -o /tmp/stat -a -e "$2" sh -c "echo $1 >/proc/rt_watch_kinds" 2>/dev/null
	is "$(sed -n 's/^\([0-9]*\),.*/\1/p' /tmp/stat)" "$(wc -l </tmp/truth)" "perf counts as many"
}

check 'kinds 8 w' "mem:$word/8:w" "writes of eight bytes, after unseen ones"
check 'kinds 8 rw' "mem:$word/8:rw" "reads are no writes, whatever they find"
check 'kinds 4 w' "mem:$word/4:w" "a watch of four bytes, of operands of any size"
check 'kinds 1 rw' "mem:$word/1:rw" "a watch of one byte"
check 'flow w' "mem:$slot/8:w" "calls are found by what they push"
check 'flow rw' "mem:$slot/8:rw" "a return is flagged"
check 'jumps' "mem:$word/8:rw" "calls and jumps through memory"

# A probe on one of the instructions hides no other.  The kernel executes a copy of that one.
# Kernels that do not report what the copy accesses say so.
probed() {
	check 'kinds 8 w' "mem:$word/8:w" "once more"
	at=$(sed -n '2s/ .*//p' /tmp/truth)
	said=$(ringtail record -e "kprobe:0x$at" -a -q -o /tmp/beside.data -- \
		ringtail record -e "mem:$word/8:w" -a -o $data -- sh -c 'echo kinds 8 w >/proc/rt_watch_kinds' 2>&1)
	look
	seen >/tmp/seen
	grep '^ffff' /proc/rt_watch_kinds >/tmp/truth
	sed 2d /tmp/truth >/tmp/truths
	sed 2d /tmp/seen >/tmp/others
	ok "a probe on one instruction hides none of the others" cmp /tmp/truths /tmp/others ||
		diff /tmp/truths /tmp/others | sed 's/^/# /'
	is "$(sed -n 2p /tmp/seen)" "$(sed -n 2p /tmp/truth)" "and its own has the address of the instruction, not of the copy" || diag "$said"
}
if [ "$(bit "$(field sources "$(info-print)")" 8)" = 1 ]; then
	probed
else
	skip "a probe on one instruction hides none of the others" \
		"this kernel does not report what an instruction under a kprobe accesses"
fi

# User code.  Without address randomisation the variable has the same address in every run.
echo 0 >/proc/sys/kernel/randomize_va_space
if grep -q ' process_vm_rw' /proc/kallsyms; then
	value=$(watched-flow | head -n 1)
	ringtail record -q -e "mem:$value/8:rw" -o $data -- watched-flow | tail -n +2 >/tmp/truth
	look
	seen >/tmp/seen
	ok "a process: unseen writes through another mapping and by a system call" cmp /tmp/truth /tmp/seen ||
		diff /tmp/truth /tmp/seen | sed 's/^/# /'
	ok "there is something to compare" [ -s /tmp/truth ]
else
	skip "a process: unseen writes through another mapping and by a system call" \
		"this kernel was built without process_vm_writev()"
fi

ok "rt_watch_kinds unloads" rmmod rt_watch_kinds
ok "ringtail unloads" rmmod ringtail
done_testing
