#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# ringtail flight extract: a machine dies while a flight or a recording in overwrite mode runs and all CPUs write.  Its memory, in every
# format that QEMU writes, gives back every record that was committed, in a file that perf opens.  The workload counts in the
# same memory.  With --all also what makedumpfile makes of it: each compression, split, flattened, cut short.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/crash.sh
. tests/lib/flight-crash.sh

level=${RT_LEVEL:-all}
# The newest and the oldest kernel of this architecture, and one of the other.
case $(uname -m) in aarch64) host=arm64 other=x86_64 ;; *) host=x86_64 other=arm64 ;; esac
kernels() { scripts/vm kernels --default | grep -- "-$1$"; }
newest=$(kernels $host | tail -n 1) oldest=$(kernels $host | head -n 1) foreign=$(kernels $other | tail -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s SAN=1 build/san/ringtail || exit 1
ringtail=build/san/ringtail
# To look for leaks takes any program five seconds on arm64, and this test starts a hundred.
[ "$level" = default ] || export ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=tests/host/lib/lsan.supp

# In the guest: both CPUs run the workload, then one of them dies.
guest() { # HOW TO DIE
	cat <<END
case \$(uname -m) in aarch64) a=%x0 b=%x1 ;; *) a=%di b=%si ;; esac
insmod /rt/ringtail.ko && insmod /rt/modules/rt_crash.ko || exit
ringtail record -q -a -g --overwrite -m 512K -o /tmp/dead.data -e "kprobe:rt_crash_event n=\$a:s64 cpu=\$b:s64" \
	-e sched:sched_switch -e cpu-clock -F 100 -- sh -c '
	kill -STOP \$PPID
	taskset 1 sh -c "echo run >/proc/rt_crash" &
	taskset 2 sh -c "echo run >/proc/rt_crash" &
	sleep 1
	cat /proc/kallsyms | grep -w -E "_text|_etext|_edata|rt_crash_event" >/dev/kmsg
	$1'
END
}

two_cpus_guest() { flight_guest 2 "$1"; }

extract() { # NAME FILE…
	local name=$1
	shift
	"$ringtail" flight extract "$@" -o "$work/data" >"$work/said" 2>"$work/said.err"
	is $? 0 "$name: the records come out" || { diag "$(cat "$work/said.err")"; return 1; }
}

# The first dump of a guest: everything is looked at.
first_dump() { # KERNEL DUMP HOW
	counted "$2" >"$work/counted"
	is "$(wc -l <"$work/counted")" 2 "$1: the workload's counters are found"
	extract "$1, elf" "$2" || return
	perf script -i "$work/data" -F comm,tid,cpu,time,event,trace >"$work/perf.txt" 2>"$work/perf.err"
	is $? 0 "$1: perf opens the file" || diag "$(cat "$work/perf.err")"
	extracted "$work/perf.txt" >"$work/extracted"
	ok "$1: every committed record is there once, in order" agree "$work/counted" "$work/extracted" ||
		diag "counted: $(cat "$work/counted")" "extracted: $(cat "$work/extracted")"
	"$ringtail" script -i "$work/data" -F comm,tid,cpu,time,event,trace >"$work/ours.txt" 2>/dev/null
	is "$(grep -c . "$work/ours.txt")" "$(sed -n 's/.*written to.*: \([0-9]*\) samples$/\1/p' "$work/said")" "$1: ringtail script has as many events as were written"
	extracted "$work/ours.txt" | cmp -s - "$work/extracted"
	is $? 0 "$1: the same ones"
	like "$(cat "$work/said")" 'records of 3 events on 2 CPUs, from' "$1: says how many there are"
	[ $guest = guest ] ||
		like "$(cat "$work/said")" "flight 'black-box', started at .* by user 0, process [0-9]+ \(ringtail\)" "$1: and which flight"
	like "$(grep ' flight:panic:' "$work/perf.txt")" "$3" "$1: the panic is marked, with its reason"
	is "$(grep -c ' flight:last:' "$work/perf.txt")" 2 "$1: so is the last event of each CPU"
	like "$(cat "$work/said")" "panic at .*: .*$3" "$1: and both are said"
	like "$(cat "$work/said")" 'CPU 1: [0-9]+ records, the last at' "$1: for each CPU"
	like "$(cat "$work/perf.txt")" '^ *sh +[0-9]+ .*rt_crash_event' "$1: tasks have their names"
	ok "$1: tracepoints have their fields" grep -q 'sched:sched_switch: .*prev_comm=.* ==> next_comm=' "$work/perf.txt"
	perf script -i "$work/data" -F event,ip,sym 2>/dev/null | grep -A 1 rt_crash_event | grep -q '^\s*ffff'
	is $? 0 "$1: stacks are kept"
	perf script -i "$work/data" --header-only >"$work/header" 2>/dev/null
	ok "$1: the header is the dead machine's" grep -qF "os release : $(scripts/vm kernels | awk -v k="$1" '$1 == k { print $2 }')" "$work/header"
	"$ringtail" script -i "$work/data" -F cpu,time,event,trace --ns >"$work/same" 2>/dev/null
}

# Another format of the same memory must give the same text.
same_dump() { # NAME FILE…
	extract "$@" || return
	"$ringtail" script -i "$work/data" -F cpu,time,event,trace --ns 2>/dev/null | cmp - "$work/same"
	is $? 0 "$1: the same records"
}

make_kdump() { python3 tests/host/lib/kdump-make.py "$work/vmcore" "$work/conv" "$@" || diag "kdump-make $*: failed"; }

# No record may come out that the whole dump does not give.
no_others() { # NAME FILE…
	local name=$1
	shift
	rm -f "$work/some"
	"$ringtail" flight extract "$@" -o "$work/some" >"$work/said" 2>"$work/said.err"
	like "$(cat "$work/said")" '[0-9]+ missing' "$name: missing pages are counted"
	unlike "$(cat "$work/said.err")" 'Sanitizer' "$name: nothing goes wrong"
	[ -e "$work/some" ] || return
	"$ringtail" script -i "$work/some" -F cpu,time,event,trace --ns 2>/dev/null | grep -v flight:last | tr -s ' ' | sort >"$work/some.txt"
	# The width of the columns depends on what is missing.
	comm -23 "$work/some.txt" <(tr -s ' ' <"$work/same" | sort) >"$work/others.txt"
	is "$(wc -l <"$work/others.txt")" 0 "$name: no record that the whole dump has not" || diag "$(head -n 3 "$work/others.txt")"
	is "$(uniq -d "$work/some.txt" | wc -l)" 0 "$name: none twice"
}

# Compressed in every way, with the libraries that makedumpfile uses.
compressed() { # KERNEL
	local how
	make_kdump lzo zeros
	same_dump "$1, kdump by lzo without zero pages" "$work/conv"
	make_kdump snappy split 3 flat
	same_dump "$1, kdump by snappy, split and flattened" "$work"/conv.{3,1,2}
	no_others "$1, without one part" "$work"/conv.{1,3}
	rm -f "$work"/conv*
	make_kdump zstd zeros
	same_dump "$1, kdump by zstd without zero pages" "$work/conv"
	[ "$level" != default ] || { rm -f "$work/conv"; return; }
	for how in zlib lzo snappy zstd none; do
		make_kdump $how
		same_dump "$1, kdump by $how" "$work/conv"
		make_kdump $how zeros flat
		same_dump "$1, kdump by $how, flattened" "$work/conv"
		make_kdump $how incomplete
		no_others "$1, kdump by $how, incomplete" "$work/conv"
	done
	rm -f "$work"/conv*
}

# LKCD, through libkdumpfile.  No tool of today writes it.
lkcd() { # KERNEL
	local how
	for how in raw gzip; do
		python3 tests/host/lib/lkcd-make.py "$work/vmcore" "$work/conv" $how
		same_dump "$1, LKCD, $how" "$work/conv"
	done
	head -c $(($(stat -c %s "$work/conv") * 9 / 10)) "$work/conv" >"$work/cut"
	# libkdumpfile looks for the end mark first.
	like "$("$ringtail" flight extract "$work/cut" -o "$work/some" 2>&1)" '^ringtail: .*cut.: libkdumpfile cannot read this dump: ' "$1, LKCD without its end: refused"
	rm -f "$work"/{conv,cut}
}

# shellcheck disable=SC2317 # ok calls it
makedump() { makedumpfile "$@" >"$work/makedumpfile.log" 2>&1; }

# What makedumpfile makes of an ELF dump that has the kernel's VMCOREINFO.  It expects the program headers right behind the ELF header.
converted() { # KERNEL
	local how log=$work/makedumpfile.log
	python3 - "$work/vmcore" "$work/relaid" <<'END'
import shutil, struct, sys
f, out = open(sys.argv[1], 'rb'), open(sys.argv[2], 'wb')
head = bytearray(f.read(64))
phoff, phnum = struct.unpack_from('<Q', head, 32)[0], struct.unpack_from('<H', head, 56)[0]
f.seek(phoff)
segments = [list(s) for s in struct.iter_unpack('<IIQQQQQQ', f.read(56 * phnum))]
# The headers are not moved but copied to the front: only zeros and section headers are there.
assert 64 + 56 * phnum <= min(s[2] for s in segments)
struct.pack_into('<QQ', head, 32, 64, 0)
struct.pack_into('<HHHHHH', head, 52, 64, 56, phnum, 0, 0, 0)
f.seek(0)
shutil.copyfileobj(f, out, 1 << 20)
out.seek(0)
out.write(bytes(head) + b''.join(struct.pack('<IIQQQQQQ', *s) for s in segments))
END
	for how in '-c -d 31' '-l -d 31' '-d 31' '-E -d 31' '-c -d 0'; do
		rm -f "$work/conv"
		# shellcheck disable=SC2086 # several words
		ok "$1: makedumpfile $how" makedump $how "$work/relaid" "$work/conv" || { diag "$(tail -n 3 "$log")"; continue; }
		same_dump "$1, makedumpfile $how" "$work/conv"
	done
	rm -f "$work"/part.*
	ok "$1: makedumpfile --split" makedump -c -d 31 --split "$work/relaid" "$work"/part.{1,2,3} &&
		same_dump "$1, makedumpfile --split" "$work"/part.{2,1,3}
	makedumpfile -F -c -d 31 "$work/relaid" >"$work/conv" 2>"$log"
	same_dump "$1, makedumpfile -F" "$work/conv"
	rm -f "$work"/{part.*,conv,relaid}
}

# Cut short: whatever is whole comes out, the rest is named.
cut_short() { # KERNEL
	local size part
	size=$(stat -c %s "$work/vmcore")
	for part in 95 50; do
		head -c $((size * part / 100)) "$work/vmcore" >"$work/cut"
		no_others "$1, $part % of the dump" "$work/cut"
	done
	rm -f "$work/cut"
}

# The same with the number of a ring format that does not exist yet.
newer_format() { # KERNEL
	perl -e 'open(F, "<:raw", $ARGV[0]) or die; open(O, ">:raw", $ARGV[1]) or die; my $b;
		while (read(F, $b, 1 << 24)) { $b =~ s/(\x1a(?:BUS|CNA|BAT|ATS)GNIR)\x03\0/$1\x09\0/g; print O $b }' "$work/vmcore" "$work/newer"
	rm -f "$work/none"
	"$ringtail" flight extract "$work/newer" -o "$work/none" >/dev/null 2>"$work/said.err"
	is $? 1 "$1: rings of a newer format are refused"
	like "$(cat "$work/said.err")" '^ringtail: the dump has rings of format 9\.[0-9]+; this ringtail reads 3: use' "$1: by name"
	ok "$1: and no file is left" [ ! -e "$work/none" ]
	rm -f "$work/newer"
}

# Symbols of another kernel or boot are refused, also if the file leaves out the kernel's head.
symbols() { # KERNEL
	local text
	text=$("$ringtail" script -i "$work/data" --show-mmap-events 2>/dev/null | sed -n 's/.*\[0x\([0-9a-f]*\)(.*kernel\.kallsyms\]_text$/\1/p' | head -n 1)
	with() { # LINE
		echo "$1" >"$work/kallsyms"
		"$ringtail" flight extract "$work/vmcore" --kallsyms "$work/kallsyms" -q -o "$work/none" 2>&1
	}
	is "$(with "$(printf '%x T _stext' $((0x$text + 65536)))")" '' "$1: symbols of this boot"
	like "$(with "$(printf '%x T _stext' $((0x$text + (2 << 20))))")" 'is of another kernel or boot: its text begins at' "$1: of another one"
	like "$(with '0000000000000000 T _text')" 'has no addresses of the kernel: copy it as root' "$1: without addresses"
	rm -f "$work/none"
}

try() { # KERNEL HOW REASON FORMAT…
	local kernel=$1 format how=$2 reason=$3
	shift 3
	ok "$kernel: the guest dies" crash_guest "$work" "$kernel" "$($guest "$how")" || { diag "$(tail -n 5 "$work/err")"; crash_end; return; }
	crash_dump "$work" vmcore elf
	first_dump "$kernel" "$work/vmcore" "$reason"
	for format; do
		if crash_dump "$work" other "$format" && [ -s "$work/other" ]; then
			same_dump "$kernel, $format" "$work/other"
		else
			skip "$kernel, $format" "QEMU was built without it"
		fi
		rm -f "$work/other"
	done
	crash_end
	[ "$kernel" = "$foreign" ] || cut_short "$kernel"
	[ "$kernel" != "$newest" ] || { symbols "$kernel"; compressed "$kernel"; newer_format "$kernel"; }
	[ "$kernel" != "$oldest" ] || { converted "$kernel"; lkcd "$kernel"; }
	rm -f "$work/vmcore"
}

sysrq='echo c >/proc/sysrq-trigger'
guest=two_cpus_guest
try "$newest" "$sysrq" 'sysrq triggered crash' kdump-zlib raw
guest=guest
try "$foreign" 'echo irq >/proc/rt_crash' 'Fatal exception in interrupt' kdump-zlib raw
if [ "$level" != default ]; then
	# VMCOREINFO comes into the dump through a device.
	CRASH_OPTIONS=(--modprobe qemu_fw_cfg --qemu -device --qemu vmcoreinfo)
	try "$oldest" 'echo null >/proc/rt_crash' 'Fatal exception' elf-paging kdump-zlib kdump-lzo kdump-snappy raw
fi

said=$("$ringtail" flight extract /dev/null 2>&1)
is "$?" 1 "a file that is no dump is refused"
like "$said" "^ringtail: '/dev/null': not a dump" "in one line"
said=$("$ringtail" flight extract 2>&1)
is "$?" 2 "so is no file at all"
said=$("$ringtail" flight land 2>&1)
like "$said" "flight: 'land' is not one of its commands" "and a command that does not exist"
done_testing
