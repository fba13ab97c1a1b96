#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1
#
# doctor in a real kernel: before the module is loaded, with it, and with something missing.

. ./lib/tap.sh

out=$(ringtail doctor)
is $? 1 "status 1 while the module is not loaded"
like "$out" 'FAIL +module' "the module is what is missing"
like "$out" 'Recording cannot work here' "and recording cannot work"

ok "the module loads" insmod /rt/ringtail.ko
out=$(ringtail doctor)
is $? 0 "status 0 with the module"
like "$out" 'ok +module +loaded, ABI 3\.' "the module answers"
like "$out" 'ok +function entry +(through ftrace|by kprobes)' "how function entries are taken"
# arm64 has them from 4.10 on.
probes='ok +user probes +can be set'
grep -qw uprobe_register /proc/kallsyms || probes='note +user probes +this kernel has none'
like "$out" "$probes" "whether user probes can be set"
like "$out" 'ok +tracepoints +those of the kernel' "which tracepoints there are"
like "$out" 'Recording can work here' "recording can work"
unlike "$out" FAIL "nothing fails"
like "$out" 'ok +watchpoints +[1-9][0-9]* of [1-9]' "free watchpoint slots are counted"
case $(uname -m) in
aarch64)
	like "$out" 'ok +watchpoints +4 of 4 data slots free, 6 of 6.*tried on 1 CPUs' "as many as a cortex-a72 has"
	# Bit 13: RT_SOURCE_WATCH_EXECUTION.
	only='6 of 6 for execution, but only in programs'
	if module_offers 13; then
		unlike "$out" "$only" "also for execution in the kernel"
	else
		like "$out" "$only" "not for execution in the kernel"
	fi
	;;
x86_64) like "$out" 'ok +watchpoints +4 of 4 slots free.*tried on 1 CPUs' "as many as an x86 has" ;;
esac

unlike "$out" 'not checked|not mounted' "nothing is left unchecked"

mine=$(as-user 1000 ringtail doctor)
is $? 1 "another user than root cannot record"
like "$mine" '[?] +tracefs +not checked: no permission' "tracefs is there, but not to be looked at"
unlike "$mine" 'not mounted|no debug register is free' "nothing is said to be missing that is only forbidden"
like "$mine" '-> sudo ringtail doctor' "and the line that helps"
for event in sched:sched_switch kprobe:vfs_read 'kprobe:vfs_*' mem:jiffies:w cpu-clock; do
	said=$(as-user 1000 ringtail record -e "$event" -a -o /tmp/mine.data -- true 2>&1)
	is "$(echo "$said" | grep -c .)" 1 "record -e $event as another user: refused in one line" || diag "$said"
	like "$said" '^ringtail: record: not allowed to open /dev/ringtail: be root' "which says who may"
done

json=$(ringtail doctor --json)
is $? 0 "--json has the same status"
like "$json" '"can_record":true' "--json says the same"

umount /sys/kernel/tracing /sys/kernel/debug/tracing /sys/kernel/debug 2>/dev/null
# Before 4.1 tracefs was a directory of debugfs.
if grep -qw tracefs /proc/filesystems; then
	line='mount -t tracefs tracefs /sys/kernel/tracing' place=/sys/kernel/tracing
else
	line='mount -t debugfs debugfs /sys/kernel/debug' place=/sys/kernel/debug/tracing
fi
like "$(ringtail doctor)" "$line" "no tracefs: the line that mounts it"
$line
like "$(ringtail doctor)" "ok +tracefs +$place" "and that line works"

echo 2 >/proc/sys/kernel/kptr_restrict
like "$(ringtail doctor)" 'sysctl -w kernel.kptr_restrict=1' "hidden addresses: the line that shows them"

build_id=$(ringtail doctor | sed -n 's/.*build-id \([0-9a-f]*\).*/\1/p')
is ${#build_id} 40 "debuginfo is asked for by the kernel's build-id"

ok "the module unloads" rmmod ringtail
done_testing
