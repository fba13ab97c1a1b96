#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 mem=1024 timeout=900 kernels=debug-* allow=warn level=all
#
# Memory that cannot be had: every allocation of every call fails once, then allocations
# fail at random under the fuzzer.  Calls say so or do without; nothing leaks (kmemleak
# looks when the guest ends), no probe is left, the module unloads.

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

# The fuzzer's own memory fails it as well: when that ends it, the next one goes on.
for kind in failslab fail_page_alloc; do echo 2 >/sys/kernel/debug/$kind/probability; done
ended=0
for seed in 1 2 3 4 5 6 7 8; do
	sh -c "echo 1 >/proc/self/make-it-fail; RT_SEED=$seed RT_SECONDS=5 exec ioctl-fuzz" >/tmp/said 2>&1 || ended=$((ended + 1))
done
for kind in failslab fail_page_alloc; do echo 0 >/sys/kernel/debug/$kind/probability; done
diag "of 8 fuzzers $ended ended early; the last one said: $(tail -n 1 /tmp/said)"

is "$(wc -l </sys/kernel/debug/kprobes/list)" 0 "no probe is left then either"
# Where ftrace serves a kprobe, the kernel itself needs memory to take it out, and says so once.
is "$(dmesg | grep 'WARNING: ' | grep -v 'disarm_kprobe_ftrace')" "" "no warning but the kernel's own"
ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
