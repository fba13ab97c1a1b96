#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 icount=1 mem=1024 timeout=1500 level=all
#
# ENABLE and DISABLE take time in proportion to the number of events: 2,000 events of a kind take at most
# five times what 500 take, in guest instructions.

. ./lib/tap.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

case $(uname -m) in
aarch64) offset=16 ;;
*) offset=5; [ "$(head -c 8 /proc/rt_play)" != f30f1efa ] || offset=9 ;;
esac
events=/sys/kernel/tracing/events

grep -v '\[' /sys/kernel/tracing/available_filter_functions >/tmp/traceable
sort /proc/kallsyms | awk -v least=64 -f lib/functions.awk /tmp/traceable - >/tmp/all
# Not those that the guest calls all the time: their hits would be measured.
awk '{ print $2 }' /tmp/all | grep -E '^(ext4|xfs|nfs|tcp|udp|ip6?|inet6?|acpi|pci|usb|scsi|ata|blk|bio|crypto|drm|hid|input|pm|fb|snd|jbd2|fat|iommu|vga|virtio|msi|of|dev|ethtool|netlink|xfrm|fib|neigh|cgroup|cpuset|bpf|btf|key|selinux|apparmor|tomoyo|security|efi|firmware|regmap|clk|gpio|i2c|spi|rtc|thermal|power|devm)_' |
	awk '{ l[NR] = $0 } END { for (i = 0; i < 4000 && i < NR; i++) print l[1 + int(i * NR / (NR < 4000 ? NR : 4000))] }' >/tmp/functions
sed "s/\$/+$offset/" /tmp/functions >/tmp/kprobe
cp /tmp/functions /tmp/entry
cp /tmp/functions /tmp/kretprobe
for system in sched irq timer signal block task; do
	for event in "$events/$system"/*/format; do
		event=${event%/format}
		echo "$system:${event##*/}"
	done
done >/tmp/tracepoint
cat $events/[!f]*/*/id | sort -n >/tmp/perf
seq 0 250 >/tmp/syscall
seq 1 2100 | sed "s|\(.*\)|echo $(command -v rt_work) \$((4096 + \1 * 4))|" | sh >/tmp/uprobe

measure() { # KIND COUNT PLACES: sets enable, disable; false: too few were armed
	line=$(many-events "$1" "$2" <"/tmp/$3" 2>/tmp/refused)
	diag "$3: $line; $(head -n 1 /tmp/refused)"
	read -r _ added _ enable disable gone <<-END
		$line
	END
	# It depends on chance whether DISABLE or the end of the session waits for a grace period.
	disable=$((disable + gone))
	# Some numbers of tracepoints are those of events that perf_events does not have.
	ok "$3: $2 events are armed, or nearly" [ "${added:-0}" -ge $(($2 * 98 / 100)) ]
}

check() { # KIND PLACES
	measure "$1" 500 "$2" || return
	few_enable=$enable few_disable=$disable
	measure "$1" 2000 "$2" || return
	ok "$2: ENABLE of 2,000 takes at most 5 times that of 500" [ "$enable" -le $((5 * few_enable)) ]
	ok "$2: DISABLE and the end of the session, too" [ "$disable" -le $((5 * few_disable)) ]
}

# Tracepoints through perf_events ("perf") are counters: the kernel reschedules those of the CPU for each
# that is enabled.
[ $# -gt 0 ] || set -- syscall tracepoint uprobe entry kprobe kretprobe
for which; do
	kind=$which
	[ "$which" != entry ] || kind=kprobe
	check "$kind" "$which"
done

ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
