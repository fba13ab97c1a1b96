#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A guest whose kernel complains fails the run with the right message, whatever the
# command's own status; throw-away modules make it complain.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh

# One of those that check has by default.
case $(uname -m) in aarch64) kernel=5.10-arm64 ;; *) kernel=5.10-x86_64 ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

vm() { scripts/vm run $kernel --modules tests/lab/modules "$@" >"$work/out" 2>"$work/err"; }

vm -- 'insmod /rt/modules/lab_oops.ko; true'
is $? 70 "an oops fails the run"
like "$(cat "$work/err")" 'FAILED, the kernel printed an oops \[oops\]' "and is called one"
like "$(cat "$work/err")" '  \| .*lab_oops_init' "the interesting part of the log is printed"
log=$(sed -n 's/.*; log: //p' "$work/err")
like "$(cat "$log" 2>&1)" 'Kernel panic - not syncing' "the whole log is kept"

vm -- 'insmod /rt/modules/lab_warn.ko; echo survived; exit 0'
is "$?:$(cat "$work/out")" 70:survived "a WARN fails the run although the command ends well"
like "$(cat "$work/err")" 'FAILED, the kernel printed a warning \(WARN\) \[warn\]; the command ended with 0' "and is called one"

vm --allow warn -- 'insmod /rt/modules/lab_warn.ko; exit 5'
is $? 5 "--allow warn lets it pass"

vm -- 'echo c >/proc/sysrq-trigger'
is $? 70 "a crash fails the run"
like "$(cat "$work/err")" 'the kernel printed (an oops|a panic)' "and is called one"

# These boot for more than a minute between them; lab/run has a command that hangs.
if [ "${RT_LEVEL:-all}" != default ]; then
	vm --smp 1 --timeout 20 -- 'echo before; insmod /rt/modules/lab_hang.ko'
	is "$?:$(cat "$work/out")" 124:before "a guest that hangs fails the run at its time limit"
	like "$(cat "$work/err")" 'FAILED, hung: the command did not end in 20 s' "and the message says so"

	# A thread each: the CPU that hangs must not take the other's turns.
	vm --smp 2 --threads --append rcupdate.rcu_cpu_stall_timeout=3 --timeout 120 -- \
		'insmod /rt/modules/lab_hang.ko & until dmesg | grep -qE "stall|lockup"; do sleep 1; done; exit 0'
	is $? 70 "a CPU that hangs while the rest goes on fails the run"
	like "$(cat "$work/err")" 'the kernel printed (an RCU stall \[rcu\]|a lockup \[lockup\])' "as a stall"

	vm --append init=/nowhere --append rdinit=/nowhere --append panic=-1 -- true
	is $? 70 "a guest that panics at boot fails the run"
	like "$(cat "$work/err")" 'a panic \[panic\]' "and the message says so"
fi

done_testing
