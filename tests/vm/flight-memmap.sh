#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: arch=x86_64 mem=512 timeout=300 append="memmap=64M\$0x10000000 pci=nommconf" default="newest-*"
#
# The memory of recover= must be System RAM in firmware's own map.  Without the map, as on other
# machines, flight start accepts what the module does.

. ./lib/tap.sh

map=/sys/firmware/memmap
kept=0x10000000,4M

# start RECOVER OPTION…: load the module with it and start a flight; what both say is in $said and $log.
start() {
	recover=$1
	shift
	dmesg -c >/dev/null
	insmod /rt/ringtail.ko "recover=$recover" || return
	said=$(ringtail flight start --recoverable "$@" -e sched:sched_switch 2>&1)
	started=$?
	log=$(dmesg | sed -n 's/.*ringtail: recover=/recover=/p')
	ringtail flight stop >/dev/null 2>&1
	rmmod ringtail
}

accepted() { # RECOVER WHAT
	start "$1"
	is "$started" 0 "$2: a flight starts" || diag "$said" "$log"
}

refused() { # REGEX WHAT RECOVER OPTION…
	want=$1 what=$2
	shift 2
	start "$@"
	is "$started" 1 "$what: refused"
	like "$said" "$want" "$what: with the reason"
	is "$(printf '%s\n' "$said" | wc -l)" 1 "$what: in one line"
	is "$log" "" "$what: before the module touched it"
}

accepted $kept "System RAM that was kept from the kernel"

# A range that firmware reserves for itself: on this machine the configuration of PCI devices.
reserved=
for entry in "$map"/*; do
	[ "$(cat "$entry/type")" = Reserved ] || continue
	first=$(($(cat "$entry/start"))) last=$(($(cat "$entry/end")))
	[ $((last - first)) -ge $((0x1fffff)) ] && [ $first -lt $((0xf0000000)) ] && reserved=$(printf '0x%x' $first)
done
like "$reserved" '^0x' "firmware reserves a range" || diag "$(head $map/*/*)"
refused "recover= has $reserved to 0x[0-9a-f]+, and firmware's map calls $reserved to 0x[0-9a-f]+ 'Reserved': load the module with" \
	"firmware's reserved range" "$reserved,2M"
refused "firmware's map calls $reserved to 0x[0-9a-f]+ 'Reserved'" "the same with a size" "$reserved,2M" --size 128K

# Addresses without memory.
refused "recover= has 0x48000000 to 0x481fffff, and firmware's map calls 0x48000000 to 0x481fffff no memory" \
	"an address without memory" 0x48000000,2M

# The map of another machine.
entry() { # NAME START END TYPE
	mkdir -p "$map/$1"
	echo "$2" >"$map/$1/start"
	echo "$3" >"$map/$1/end"
	echo "$4" >"$map/$1/type"
}
mount -t tmpfs none /sys/firmware
start 0x48000000,2M
is "$started" 1 "without a map, the module itself finds no memory"
like "$log" 'there is no memory at this address' "and its log says so"
accepted $kept "without a map"
mkdir $map
accepted $kept "with an empty map"
entry 0 0x0 0x101fffff 'System RAM'
entry 1 0x10200000 0x1fffffff 'System RAM'
accepted $kept "two entries that touch"
entry 2 0x103ff000 0x10400fff 'ACPI Tables'
refused "recover= has 0x10000000 to 0x103fffff, and firmware's map calls 0x103ff000 to 0x103fffff 'ACPI Tables'" \
	"the last page of the range" $kept
accepted 0x10000000,2M "the range before it"
rm "$map/2/type"
refused 'cannot read /sys/firmware/memmap' "an entry that cannot be read" $kept
umount /sys/firmware
done_testing
