#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" arch=arm64 cpu=max,pauth-impdef=on smp=2 turns=1 timeout=900 append="panic_on_warn=1" default="@(newest-*|6.1-*)"
#
# arm64: every class of loads and stores, in each addressing mode, with different bases, aligned and
# not, above, at and below the stack pointer, in the kernel and in a process: a watch changes neither
# a register nor a flag nor a byte of memory, and every access is there once, with its values.
#
# By default with a part of the positions and lengths of the watch, else with all of them.
#
# QEMU proves nothing about memory tags, pointer authentication and WFE of real processors.  An emulated
# CPU does not report atomic instructions to a watch for both, unless the CPUs take turns, nor accesses
# through a pointer with a tag.

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
	awk '
		function fits(want, have) {
			if (substr(want, 1, 1) == "~") return index(have, substr(want, 2))
			return want == "*" || want == have
		}
		FILENAME == "/tmp/seen" { n[$1]++; rw[$1] = $2; old[$1] = $3; new[$1] = $4; flags[$1] = $5; next }
		n[$1] != 1 { print $0 ": recorded " n[$1] + 0 " times"; next }
		# Where the trap overwrites the bytes, the values are the last ones seen or unknown, and flagged.
		substr($5, 1, 1) == "~" && index(flags[$1], "old-") { next }
		$2 != rw[$1] || !fits($3, old[$1]) || !fits($4, new[$1]) || !fits($5, flags[$1]) {
			print $0 ": recorded " rw[$1], old[$1], new[$1], flags[$1]
		}' /tmp/seen /tmp/truth >/tmp/differ
	is "$(wc -l </tmp/differ)" 0 "$1: a record of every access ($(wc -l </tmp/truth)), with its values" || {
		diag "$said"
		head -n 12 /tmp/differ | sed 's/^/# /'
	}
	is "$(wc -l </tmp/seen)" "$(wc -l </tmp/truth)" "$1: no other record of them"
	is "$(grep -c '^!' /tmp/table) $(sed -n 's/^wrong //p' /tmp/table)" "0 0" "$1: the same registers, flags and memory as without a watch" ||
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

in_process() { # PLACE SHIFT LENGTH w|rw
	word=$(watched-table "$1")
	watched-table first /tmp/first "$1" "$2" >/tmp/first.said
	is $? 0 "process, $1, from byte $2: without a watch"
	faults=$(sed -n 's/^faults //p' /tmp/first.said)
	case $1 in
	page) is "$faults" 0 "process, page, from byte $2: no access faults" || diag "$(grep fault /tmp/first.said)" ;;
	edge) ok "process, edge, from byte $2: accesses fault ($faults)" [ "$faults" -gt 0 ] ;;
	esac
	said=$(ringtail record -e "mem:$word/$3:$4" -m 2048 -o $data -- watched-table again /tmp/first "$@" 2>&1 >/tmp/table)
	is $? 0 "watched-table $1 $2: recorded" || diag "$said"
	look
	truth "process, $1, from byte $2, $3 bytes watched for $4, $(sed -n 's/^cases //p' /tmp/table) cases, $(sed -n 's/^faults //p' /tmp/table) faults"
}

# Whether an access through a pointer with a tag is reported to a watch at all.
reports_tags() {
	perf_works || return 1
	perf stat -x , -o /tmp/stat -a -e "mem:$(place heap)/8:w" sh -c 'echo first heap 0 >/proc/rt_watch_table'
	[ "$(sed -n 's/^\([0-9]*\),.*/\1/p' /tmp/stat)" -gt 0 ]
}

more() { [ "$RT_LEVEL" != default ]; }

if [ "$(bit "$(field sources "$(info-print)")" 13)" = 1 ]; then
	heap=
	if reports_tags; then
		heap=heap
	else
		skip "kernel, heap: accesses through a pointer with a tag" "perf does not see them either: this CPU does not report them"
	fi
	for place in arena $heap above at under; do
		in_kernel $place 0 8 rw
		! more || in_kernel $place 0 8 w
		! more || in_kernel $place -4 8 rw
	done
	[ ! "$heap" ] || in_kernel heap 0 8 rw -e "mem:$(place arena)/8:rw"
	# An access that only lies near a short watch is not recorded.
	in_kernel arena 5 4 rw
	in_kernel arena -3 2 rw
	in_kernel arena 0 1 w
	if more; then
		in_kernel above -3 4 rw
		in_kernel at 3 4 rw
		for bytes in 1 2 4; do
			for shift in -16 -9 -8 -7 -5 -4 -3 -2 -1 0 1 2 3 4 5; do
				in_kernel arena $shift $bytes rw
			done
		done
	fi
else
	said=$(ringtail record -e "mem:$(place stack)/8:w" -a -o $data true 2>&1)
	like "$said" "this is a kernel stack, and this kernel cannot complete accesses" "a watch of a kernel stack is refused"
fi

echo 0 >/proc/sys/kernel/randomize_va_space
in_process page 0 8 rw
in_process page 5 4 rw
in_process edge 4 8 rw
if more; then
	in_process page 0 8 w
	in_process page -4 8 rw
	in_process edge 0 8 rw
	in_process edge -3 8 w
	for bytes in 1 2 4; do
		for shift in -9 -8 -7 -4 -3 -2 -1 0 1 2 3; do
			in_process page $shift $bytes rw
		done
	done
fi

ok "rt_watch_table unloads" rmmod rt_watch_table
ok "ringtail unloads" rmmod ringtail
done_testing
