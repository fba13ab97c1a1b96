#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="*" smp=2 timeout=420 level=all
#
# The paths of mapped files while other tasks rename directories.  The lookup of a path then waits
# for locks, which sleep on a PREEMPT_RT kernel, but a probe must not sleep.

. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit

deep=/tmp/one/two/three/four/five
mkdir -p $deep /tmp/left /tmp/right
cp "$(readlink -f /bin/busybox)" $deep/true
rt-rename /tmp/left &
left=$!
rt-rename /tmp/right &
right=$!

record -a -e sched:sched_process_exec -- sh -c "for i in \$(seq 100); do $deep/true; done"
# shellcheck disable=SC2154 # record() sets it
is $? 0 "recorded" || diag "$said"
kill $left $right
is "$(grep -c "filename=$deep/true " /tmp/lines)" 100 "a program is executed 100 times"
like "$said" ', 0 lost' "nothing is lost"
unlike "$said" 'of tasks and mappings' "of tasks and mappings neither"

perf_events --show-mmap-events -i /results/perf.data 2>/dev/null | grep 'PERF_RECORD_MMAP2 .* r-xp ' >/tmp/maps
is "$(grep -c " $deep/true\$" /tmp/maps)" 100 "its code is mapped as often, with the whole path"
is "$(grep -vc ' /\| \[vdso\]\| //anon' /tmp/maps)" 0 "every path is a whole one" || diag "$(grep -v ' /' /tmp/maps | head -n 5)"

is "$(cat /sys/kernel/debug/kprobes/list)" "" "no probe is left"
ok "ringtail unloads" rmmod ringtail
done_testing
