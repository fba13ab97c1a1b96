#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# guest-record - runs inside a guest: recordings of what the host may not have
# (kprobes, a PMU, breakpoints, every tracepoint), left in /results with what is
# needed to read them elsewhere.

set -u
cd /results || exit 1
mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null
tracing=/sys/kernel/tracing
echo 0 >/proc/sys/kernel/kptr_restrict
echo -1 >/proc/sys/kernel/perf_event_paranoid

# What cannot be had on this kernel or CPU is left out, and said so.
record() { # NAME OPTION…
	name=$1
	shift
	perf record -q -o "$name.data" "$@" 2>"$name.err" || { echo "$name: $(tail -n 1 "$name.err")"; rm -f "$name.data"; }
	rm -f "$name.err"
}

cat >/tmp/work.sh <<'END'
dd if=/dev/zero bs=4k count=300 2>/dev/null | md5sum >/dev/null
ls -lR /rt >/dev/null
for i in 1 2 3 4 5; do sh -c 'echo x | cat >/dev/null' & done
wait
END

case $(uname -m) in
x86_64) a0=%di a1=%si a2=%dx ;;
*) a0=%x0 a1=%x1 a2=%x2 ;;
esac
{
	echo "p:probe/vfs_read vfs_read file=$a0:x64 count=$a2:u64"
	echo "r:probe/vfs_read_ret vfs_read ret=\$retval:s64"
	echo "p:probe/do_filp_open do_filp_open path=+0(+0($a1)):string dfd=$a0:s32"
} >$tracing/kprobe_events

record kprobe -e probe:vfs_read,probe:vfs_read_ret,probe:do_filp_open -a -- sh /tmp/work.sh
record kprobe-g -e probe:vfs_read -g -a -- sh /tmp/work.sh
record cycles -e cycles -g -a -- sh /tmp/work.sh
record cycles-user -e cycles:u -c 100000 -- sh /tmp/work.sh
record group -e '{cycles,cpu-clock,page-faults}:S' -a -- sh /tmp/work.sh
record raw -e r11,r8 -c 200000 -a -d -- sh /tmp/work.sh
# The address of a function that runs often.
vfs_read=$(awk '$3 == "vfs_read" { print $1; exit }' /proc/kallsyms)
record breakpoint -e "mem:0x$vfs_read:x" -a -- sh /tmp/work.sh
record breakpoint-g -e "mem:0x$vfs_read:x" -g -a -- sh /tmp/work.sh
record tracepoints -e 'sched:*' -e 'irq:*' -e 'timer:*' -e 'signal:*' -e 'task:*' -e 'kmem:*' -e 'block:*' -e 'writeback:*' \
	-e 'workqueue:*' -e 'raw_syscalls:*' -e 'skb:*' -e 'net:*' -e 'tcp:*' -e 'sock:*' -e 'power:*' -e 'rcu:*' -e 'printk:*' -a -- sh /tmp/work.sh
record syscalls -e 'syscalls:sys_enter_openat,syscalls:sys_exit_openat,syscalls:sys_enter_read,syscalls:sys_exit_read,syscalls:sys_enter_execve' -a -- sh /tmp/work.sh
record switch-g -e sched:sched_switch -g -a -- sh /tmp/work.sh
record mixed -e cpu-clock,page-faults,sched:sched_process_exec -a -- sh /tmp/work.sh
record many -e cpu-clock -F 1000 -g -a -- sh /tmp/work.sh
record zstd -z -e cpu-clock -g -a -- sh /tmp/work.sh
perf record -q -o - -e cpu-clock,sched:sched_switch -g -a -- sh /tmp/work.sh >pipe.data 2>/dev/null
record sideband -e cpu-clock --switch-events --namespaces --all-cgroups -a -- sh /tmp/work.sh
cat /proc/kallsyms >kallsyms
cat /proc/modules >modules
uname -r >release
ls -l
