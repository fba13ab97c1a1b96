#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 default="@(5.10-*|6.1-*)"
#
# Raise lockdown step by step while the module is loaded (a kernel that boots locked down loads
# only signed modules): integrity forbids nothing to the module, confidentiality everything.  A session that
# records then goes on, without paths.

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

# Two sessions that began before: a recording and a flight.
mkdir /tmp/before /tmp/after
cp "$(readlink -f /bin/busybox)" /tmp/before/true
cp /tmp/before/true /tmp/after/true
ringtail record -q -a -e sched:sched_process_exec -o /tmp/during.data --duration 600s &
recorder=$!
ok "a flight starts" ringtail flight start -e sched:sched_process_exec
until ringtail doctor | grep -q '2 of at most'; do usleep 200000; done
usleep 500000
/tmp/before/true

echo confidentiality >$state
is "$(cat $state)" "none integrity [confidentiality]" "confidentiality"
is "$(field lockdown "$(info-print)")" 0xf "kprobes, perf, reading memory and tracefs are refused"
like "$(dmesg)" 'Lockdown: info-print: .* is restricted' "and the kernel logs who asked"
for event in "kprobe:$OPENS" sched:sched_switch; do
	like "$(ringtail record -e "$event" -o /tmp/perf.data -- true 2>&1)" 'locked down' "$event is refused, with the reason"
done
# The table in docs/abi.md says what is refused now.
sed -n 's/^| `\(RT_IOC_[A-Z]*\)` | \(caller\|descriptor\) | refused | .* | .* |$/\1/p' /rt/docs/abi.md | sort >/tmp/table
sed -e :a -e '/\\$/N; s/\\\n//; ta' /rt/include/uapi/ringtail.h |
	sed -n 's/^#define \(RT_IOC_[A-Z]*\)[[:space:]]*_IO(RT_IOC_MAGIC, \(0x[0-9a-f]*\)).*/\2 \1/p' >/tmp/numbers
is "$(call-rights --as-root | sed -n 's/ refused.*//p' | while read -r number; do sed -n "s/^$number //p" /tmp/numbers; done | sort)" \
	"$(cat /tmp/table)" "the calls of the table are refused, to root, and no others"

# The module notices within a second.
usleep 2500000
/tmp/after/true
said=$(ringtail flight status)
is $? 0 "flight status"
like "$said" 'locked down' "says what cannot be told"
like "$said" ' [1-9][0-9]* records? written' "and what can"
like "$(ringtail flight snapshot -o /tmp/snapshot.data 2>&1)" 'locked down' "a snapshot is refused, with the reason"
ok "the flight can be stopped" ringtail flight stop
kill -INT $recorder
wait $recorder
ringtail script --show-mmap-events -i /tmp/during.data >/tmp/lines 2>&1
is "$(grep -c 'sched_process_exec.*filename=/tmp/.*/true' /tmp/lines)" 2 "the recording went on"
ok "it has the paths of before" grep -q 'PERF_RECORD_MMAP2.*r-xp /tmp/before/true' /tmp/lines
is "$(grep -c 'PERF_RECORD_MMAP2.* /tmp/after/true' /tmp/lines)" 0 "and none of what was mapped afterwards"
ok "but the mappings" grep -q 'PERF_RECORD_MMAP2.*r-xp //lockdown' /tmp/lines
is "$(cat /sys/kernel/debug/kprobes/list 2>/dev/null)" "" "no probe is armed"
ok "unloads" rmmod ringtail

done_testing
