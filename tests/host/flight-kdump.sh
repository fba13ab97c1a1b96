#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# check: level=all
#
# The way of a real crash: a guest with crashkernel= has loaded its kernel a second time by kexec, panics while a flight runs and all CPUs
# write, and the capture kernel has makedumpfile write its memory at level 31, with each compression that Debian's makedumpfile has,
# flattened, split, and to a disk that is full.  ringtail flight extract finds on the host every record that was committed, none torn or
# doubled, by counters that the workload keeps in the same memory.  RT_KERNELS names other kernels.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/flight-crash.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s SAN=1 build/san/ringtail || exit 1
ringtail=build/san/ringtail
export ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=tests/host/lib/lsan.supp
read -ra kernels <<<"${RT_KERNELS:-$(scripts/vm kernels --default | paste -s -d ' ')}"

text() { "$ringtail" script -i "$1" -F cpu,time,event,trace --ns 2>/dev/null; } # FILE

extract() { # NAME FILE…
	local name=$1
	shift
	rm -f "$work/data"
	"$ringtail" flight extract "$@" -o "$work/data" >"$work/said" 2>"$work/said.err"
	is $? 0 "$name: the records come out" || { diag "$(cat "$work/said.err")"; return 1; }
}

same() { # NAME FILE…
	extract "$@" || return
	text "$work/data" | cmp - "$work/same"
	is $? 0 "$1: the same records"
}

# Whatever is whole, nothing else.
some() { # NAME FILE
	rm -f "$work/data"
	"$ringtail" flight extract "$2" -o "$work/data" >"$work/said" 2>"$work/said.err"
	unlike "$(cat "$work/said.err")" Sanitizer "$1: nothing goes wrong"
	like "$(cat "$work/said" "$work/said.err")" 'missing|no rings|nothing' "$1: it says what is missing"
	[ -e "$work/data" ] || return
	text "$work/data" | grep -v flight:last | sort >"$work/some.txt"
	is "$(comm -23 "$work/some.txt" <(sort "$work/same") | wc -l)" 0 "$1: no record that the whole dump has not"
	is "$(uniq -d "$work/some.txt" | wc -l)" 0 "$1: none twice"
}

# shellcheck disable=SC2317 # ok calls it
captured() { # KERNEL SCRIPT OPTION…
	local kernel=$1 script=$2
	shift 2
	scripts/vm run "$kernel" --mem 768 --timeout 600 --allow panic,oops,warn --share "$work/share" --program sid/kexec-tools:usr/sbin/kexec \
		--program sid/makedumpfile:usr/bin/makedumpfile --append 'crashkernel=320M' "$@" -- "$script" >"$work/out" 2>"$work/err"
}

try() { # KERNEL WAY MARK OPTION…
	local kernel=$1 way=$2 mark=$3 name prefix refused
	shift 3
	rm -rf "$work/share"
	mkdir "$work/share"
	prefix=$(scripts/vm fetch "$kernel" | sed -n 's/.* in //p')
	cp "$prefix/vmlinuz" "$work/share/vmlinuz"
	ok "$kernel, $way: the capture kernel runs" captured "$kernel" "sh /rt/tests/host/lib/kdump-load.sh || exit
		$(flight_guest 2 "$way")" "$@" || { diag "$(tail -n 8 "$work/out" "$work/err")"; return; }
	is "$(sed -n 's/^capture extract //p' "$work/out")" 0 "$kernel: extract reads /proc/vmcore there" || diag "$(cat "$work/share/said")"
	refused=$(sed -n 's/^capture refused //p' "$work/out")
	for name in elf plain zlib flat split; do
		[ -z "$refused" ] || continue
		is "$(sed -n "s/^capture made $name //p" "$work/out")" 0 "$kernel: makedumpfile, $name" || diag "$(grep makedumpfile: "$work/out")"
	done
	counted "$work/share/elf" >"$work/counted"
	is "$(wc -l <"$work/counted")" 2 "$kernel: the workload's counters are in the dump"
	extract "$kernel, elf" "$work/share/elf" || return
	perf script -i "$work/data" -F comm,tid,cpu,time,event,trace >"$work/perf.txt" 2>"$work/perf.err"
	is $? 0 "$kernel: perf opens the file" || diag "$(cat "$work/perf.err")"
	extracted "$work/perf.txt" >"$work/extracted"
	ok "$kernel: every committed record, once and in order" agree "$work/counted" "$work/extracted" ||
		diag "counted: $(cat "$work/counted")" "extracted: $(cat "$work/extracted")"
	diag "$kernel: $(paste -s -d , "$work/extracted"); $(grep 'being written' "$work/said")"
	is "$(sed -n 's/.* \(flight:\(oops\|panic\)\):.*/\1/p' "$work/perf.txt" | paste -s -d ' ')" "$mark" "$kernel: marked: ${mark:-nothing}"
	is "$(grep -c ' flight:last:' "$work/perf.txt")" 2 "$kernel: so is the last event of each CPU"
	like "$(cat "$work/perf.txt")" '^ *sh +[0-9]+ .*rt_crash_event' "$kernel: tasks have their names"
	text "$work/data" >"$work/same"
	text "$work/share/in-place" | cmp - "$work/same"
	is $? 0 "$kernel, /proc/vmcore: the same records"
	[ -z "$refused" ] || { skip "$kernel, makedumpfile" "$refused"; return; }
	for name in plain zlib lzo snappy zstd flat; do
		if grep -q "^capture lacks $name" "$work/out"; then
			skip "$kernel, $name" "Debian's makedumpfile is built without it"
		else
			same "$kernel, $name" "$work/share/$name"
		fi
	done
	same "$kernel, split" "$work"/share/split.{2,1}
	[ ! -s "$work/share/incomplete" ] || some "$kernel, incomplete" "$work/share/incomplete"
}

# A panic starts the capture kernel before it tells modules, unless it is told otherwise; an oops before it is known.
for kernel in "${kernels[@]}"; do
	try "$kernel" 'echo c >/proc/sysrq-trigger' ''
	# On x86_64 the oops begins with "BUG: ".
	try "$kernel" 'echo null >/proc/rt_crash' 'flight:oops' --allow bug
done
try "${kernels[-1]}" 'echo c >/proc/sysrq-trigger' 'flight:panic' --append crash_kexec_post_notifiers
done_testing
