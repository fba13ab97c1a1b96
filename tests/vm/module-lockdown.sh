#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 default="@(5.10-*|6.1-*)"
#
# Raise lockdown step by step while the module is loaded (a kernel that boots locked down loads
# only signed modules): integrity forbids nothing to the module, confidentiality everything.

. ./lib/tap.sh
. ./lib/module.sh
. ./lib/opens.sh

state=/sys/kernel/security/lockdown

[ -d /sys/kernel/security/lsm ] || [ -e $state ] || mount -t securityfs securityfs /sys/kernel/security 2>/dev/null
[ -e $state ] || skip_all "this kernel has no lockdown"

insmod $MODULE || exit 1
is "$(cat $state)" "[none] integrity confidentiality" "the kernel is not locked down"
is "$(field lockdown "$(info-print)")" 0 "nothing is refused"

echo integrity >$state
is "$(cat $state)" "none [integrity] confidentiality" "integrity"
is "$(field lockdown "$(info-print)")" 0 "still nothing is refused"
ok "and recording works" ringtail record -q -e "kprobe:$OPENS" -o /tmp/perf.data -- true

echo confidentiality >$state
is "$(cat $state)" "none integrity [confidentiality]" "confidentiality"
is "$(field lockdown "$(info-print)")" 0xf "kprobes, perf, reading memory and tracefs are refused"
like "$(dmesg)" 'Lockdown: info-print: .* is restricted' "and the kernel logs who asked"
for event in "kprobe:$OPENS" sched:sched_switch; do
	like "$(ringtail record -e "$event" -o /tmp/perf.data -- true 2>&1)" 'locked down' "$event is refused, with the reason"
done
ok "unloads" rmmod ringtail

done_testing
