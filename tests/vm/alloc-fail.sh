#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" smp=2 mem=1024 timeout=900 kernels=debug-* allow=warn level=all
#
# Allocations fail: first every allocation of every call once, then at random under the fuzzer.
# Calls must report that or do without the memory.  Nothing leaks (kmemleak checks when the guest
# ends), no probe stays armed, and the module unloads.

. ./lib/tap.sh

for kind in failslab fail_page_alloc; do
	for setting in ignore-gfp-wait=N verbose=0 times=-1 task-filter=Y probability=0; do
		echo "${setting#*=}" >/sys/kernel/debug/$kind/${setting%=*} || exit
	done
done
echo N >/sys/kernel/debug/fail_page_alloc/ignore-gfp-highmem
echo 0 >/sys/kernel/debug/fail_page_alloc/min-order

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

{
	fail-nth
	echo $? >/tmp/status
} | while read -r line; do echo "# $line"; done
is "$(cat /tmp/status)" 0 "each call bears the failure of each of its allocations"
is "$(wc -l </sys/kernel/debug/kprobes/list)" 0 "no probe is left"

# One in fifty of the allocations that the fuzzer's calls make fails.  Switch restartable sequences
# off: the kernel copies their page after a fork and kills a thread if it has no memory for the
# copy.
for kind in failslab fail_page_alloc; do echo 2 >/sys/kernel/debug/$kind/probability; done
GLIBC_TUNABLES=glibc.pthread.rseq=0 RT_MAKE_IT_FAIL=1 RT_SECONDS=40 ioctl-fuzz >/tmp/said 2>&1
is $? 0 "the fuzzer finds nothing amiss while allocations fail at random"
for kind in failslab fail_page_alloc; do echo 0 >/sys/kernel/debug/$kind/probability; done
diag "$(cat /tmp/said)"

is "$(wc -l </sys/kernel/debug/kprobes/list)" 0 "no probe is left then either"
# If a kprobe uses ftrace, the kernel needs memory to remove it, and warns once if there is none.
is "$(dmesg | grep 'WARNING: ' | grep -v 'disarm_kprobe_ftrace')" "" "no warning but the kernel's own"
ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
