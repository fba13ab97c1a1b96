#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 default="@(5.10-*|6.1-*)"
#
# lookup=0, without the lookup of unexported functions, changes nothing else, except that arm64 then serves
# kprobes at function entries without ftrace: its entry code has to be found.  On older kernels watches
# reach new tasks later, and the side-band is not complete where kprobes have to be moved.

. ./lib/tap.sh
. ./lib/module.sh

# Everything except what differs from call to call.
rest() { printf '%s\n' "$1" | grep -vE '^(lookups|clock_to_dmesg|dmesg_off)='; }

insmod $MODULE || exit 1
with=$(info-print)
is "$(cat /sys/module/ringtail/parameters/lookup)" Y "functions are looked up unless told otherwise"
is "$(bit "$(field lookups "$with")" 0)" 1 "and found"
rmmod ringtail

ok "loads with lookup=0" insmod $MODULE lookup=0
without=$(info-print)
is "$(field lookups "$without")" 0 "then nothing is looked up"
found=0
[ "$(uname -m)" != aarch64 ] || found=0x40
grep -q ' __ksymtab_task_work_add$' /proc/kallsyms || found=$((found | 0x200))
# Which of mappings and names have to be moved depends on the kernel's compiler.
missing=$(field side_missing "$without")
if ! module_offers 10 && [ $((missing & ~0x18)) = 0 ]; then
	with=$(printf '%s\n' "$with" | sed "s/^side_missing=0$/side_missing=$missing/")
fi
is "$(rest "$without" | grep -v ^sources=)" "$(rest "$with" | grep -v ^sources=)" "and INFO says the same otherwise"
is $(($(field sources "$without") | found)) $(($(field sources "$with") | found)) "of the same sources"
ok "unloads" rmmod ringtail

done_testing
