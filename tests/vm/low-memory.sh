#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 mem=1024 timeout=400 default="newest-*"
#
# When memory is short, record fails and says what is available.  The kernel kills nobody, neither of the
# machine nor of a memory cgroup.

. ./lib/tap.sh

insmod /rt/ringtail.ko || exit

record_one() { # OPTION…: sets said, status
	said=$(ringtail record "$@" -e sched:sched_process_exit -a -o /tmp/out.data -- true 2>&1)
	status=$?
}
killed() { dmesg | grep -ciE 'out of memory|oom-kill|killed process'; }

hold-memory 78 >/tmp/held &
holder=$!
until [ -s /tmp/held ] || [ ! -d /proc/$holder ]; do usleep 100000; done
diag "an innocent process holds $(cat /tmp/held) MB; $(grep MemAvailable /proc/meminfo)"
for size in 64M 64M 32M; do
	record_one -m $size
	is $status 1 "record -m $size on two CPUs, with 78 MB available: status" || diag "$said"
	like "$said" 'there is no memory for the rings; the machine has [0-9]+ bytes available' "it says what is available"
	like "$said" 'choose smaller rings' "and what to do"
	is "$(printf '%s\n' "$said" | wc -l)" 1 "in one line"
done
bytes=$(printf '%s\n' "$said" | sed -n 's/.*has \([0-9]*\) bytes.*/\1/p')
ok "that number is near what the kernel tells" [ "${bytes:-0}" -gt 30000000 -a "${bytes:-0}" -lt 120000000 ]
is "$(killed)" 0 "the kernel kills nobody"
ok "the innocent process lives" kill -0 $holder
record_one -m 4M
is $status 0 "smaller rings are recorded into" || diag "$said"
record_one -m 512M
ok "huge ones are refused" [ $status != 0 ]
kill -9 $holder
wait $holder 2>/dev/null

# In a memory cgroup that has less than the rings need.
cgroup=
for at in /sys/fs/cgroup/unified /sys/fs/cgroup; do
	if grep -qw memory $at/cgroup.controllers 2>/dev/null; then cgroup=$at; fi
done
if [ "$cgroup" ] && echo +memory >$cgroup/cgroup.subtree_control 2>/dev/null && mkdir $cgroup/small; then
	echo 40M >$cgroup/small/memory.max
	said=$(sh -c "echo \$\$ >$cgroup/small/cgroup.procs; exec ringtail record -m 64M -e sched:sched_process_exit -a -o /tmp/out.data -- true" 2>&1)
	is $? 1 "record -m 64M in a cgroup of 40 MB: status" || diag "$said"
	like "$said" 'a memory cgroup may allow less' "it names the cgroup"
	is "$(printf '%s\n' "$said" | wc -l)" 1 "in one line"
	is "$(sed -n 's/^oom_kill //p' $cgroup/small/memory.events)" 0 "nobody in the cgroup is killed"
	rmdir $cgroup/small
else
	skip "record in a memory cgroup" "this kernel has no memory controller of version 2"
fi
is "$(killed)" 0 "and nobody outside"
record_one -m 64M
is $status 0 "with memory, rings of this size are recorded into" || diag "$said"
ok "ringtail unloads" rmmod ringtail
done_testing
