#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" arch=arm64 cpu=max,pauth-impdef=on smp=2 timeout=900 append="panic_on_warn=1" default="@(newest-*|6.1-*)"
#
# arm64: every class of loads and stores, in each addressing mode, with different bases, aligned and
# not, above, at and below the stack pointer, in the kernel and in a process: a watch changes neither
# a register nor a flag nor a byte of memory, and every access is there once, with its values.
#
# QEMU proves nothing about memory tags, pointer authentication and WFE of real processors.

# shellcheck disable=SC2154 # of watch.sh
. ./lib/tap.sh
. ./lib/module.sh
. ./lib/watch.sh

said='' # by watch_command
insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_watch_table.ko || exit

place() { sed -n "s/^$1 //p" /proc/rt_watch_table; }

# truth: compare the records of the table's instructions with /tmp/table.
truth() { # WHAT
	grep -E '^[0-9a-f]+ [rw] ' /tmp/table >/tmp/truth
	awk 'FILENAME == "/tmp/truth" { ip[$1]; next } $1 in ip { print $1, $4, $5, $6, $7 }' /tmp/truth /tmp/raw >/tmp/seen
	paste -d ' ' /tmp/truth /tmp/seen | awk '
		function fits(want, have) {
			if (substr(want, 1, 1) == "~") return index(have, substr(want, 2))
			return want == "*" || want == have
		}
		NF != 10 || $1 != $6 || $2 != $7 || !fits($3, $8) || !fits($4, $9) || !fits($5, $10)' >/tmp/differ
	is "$(wc -l </tmp/differ)" 0 "$1: a record of every access ($(wc -l </tmp/truth)), with its values" || head -n 12 /tmp/differ | sed 's/^/# /'
	is "$(wc -l </tmp/seen)" "$(wc -l </tmp/truth)" "$1: no other record of them"
	is "$(grep '^!' /tmp/table | wc -l) $(sed -n 's/^wrong //p' /tmp/table)" "0 0" "$1: the same registers, flags and memory as without a watch" ||
		grep '^!' /tmp/table | head -n 12 | sed 's/^/# /'
	ok "$1: there is something to compare" [ -s /tmp/truth ]
}

# in_kernel PLACE SHIFT LENGTH w|rw [OPTION…]
in_kernel() {
	case $1 in arena | heap) word=$(place "$1") ;; *) word=$(place stack) ;; esac
	echo first "$1" "$2" >/proc/rt_watch_table
	command="echo again $1 $2 $3 $4 >/proc/rt_watch_table" event="mem:$word/$3:$4" what="$1, from byte $2, $3 bytes watched for $4"
	shift 4
	watch_command "$command" -a -e "$event" -m 2048 "$@"
	cat /proc/rt_watch_table >/tmp/table
	truth "kernel, $what, $(place cases) cases"
}

in_process() {
	word=$(watched-table "$1")
	watched-table first /tmp/first "$1" "$2" >/tmp/said || diag "$(cat /tmp/said)"
	said=$(ringtail record -e "mem:$word/$3:$4" -m 2048 -o $data -- watched-table again /tmp/first "$@" 2>&1 >/tmp/table)
	is $? 0 "watched-table $*: recorded" || diag "$said"
	look
	truth "process, $1, from byte $2, $3 bytes watched for $4, $(sed -n 's/^cases //p' /tmp/table) cases, $(sed -n 's/^faults //p' /tmp/table) faults"
}

if [ "$(bit "$(field sources "$(info-print)")" 13)" = 1 ]; then
	for place in arena heap above at under; do
		in_kernel $place 0 8 w
		in_kernel $place 0 8 rw
		in_kernel $place -4 8 rw
	done
	in_kernel heap 0 8 rw -e "mem:$(place arena)/8:rw"
	in_kernel arena 5 4 rw
	in_kernel arena -3 2 rw
	in_kernel above -3 4 rw
	in_kernel at 3 4 rw
else
	said=$(ringtail record -e "mem:$(place stack)/8:w" -a -o $data true 2>&1)
	like "$said" "this is a kernel stack, and this kernel cannot complete accesses" "a watch of a kernel stack is refused"
fi

echo 0 >/proc/sys/kernel/randomize_va_space
in_process page 0 8 w
in_process page 0 8 rw
in_process page -4 8 rw
in_process page 5 4 rw
in_process edge 0 8 rw
in_process edge 4 8 rw
in_process edge -3 8 w

ok "rt_watch_table unloads" rmmod rt_watch_table
ok "ringtail unloads" rmmod ringtail
done_testing
