#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# ringtail flight recover: a machine dies or is reset while a flight runs and both CPUs write, and the same machine boots again without
# a dump.  The boot after it finds every record that was committed, by counters that the workload keeps beside the rings; what it finds stays
# while a new flight records.  QEMU keeps the memory when it resets a machine.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. scripts/lab/arch.sh

level=${RT_LEVEL:-all}
work=$(mktemp -d)
trap 'rm -rf "$work"; kill $(jobs -p) 2>/dev/null' EXIT

# The same script in each boot of the guest: look at what the boot before left, start a flight, run, die by the next of the ways.
guest() { # RECOVER COUNTERS WAY…
	local recover=$1 counters=$2
	shift 2
	cat <<SCRIPT
case \$(uname -m) in aarch64) a=%x0 b=%x1 ;; *) a=%di b=%si ;; esac
insmod /rt/modules/rt_crash.ko keep=$counters || exit
insmod /rt/ringtail.ko recover=$recover || exit
fact() { echo "boot \$boot \$*"; }
one() { fact "\$1" "\$(cat)"; } # WHAT: its only line
boot=\$(sed -n 's/^boots //p' /proc/rt_crash)
fact text \$(sed -n 's/ T _text$//p' /proc/kallsyms)
set -- $(printf "'%s' " "$@")
sed -n 's/^[0-9]/counted &/p' /proc/rt_crash | while read -r line; do fact "\$line"; done
rm -f /tmp/recovered.data*
ringtail flight recover -o /tmp/recovered.data >/tmp/said 2>&1
fact status \$?
while read -r line; do fact said "\$line"; done </tmp/said
summary() { # FILE
	perf script -i "\$1" -F cpu,event,trace 2>/tmp/warnings | sed -n 's/.* n=\([0-9]*\) cpu=\([0-9]*\).*/\2 \1/p' |
		awk '\$1 in last && \$2 != last[\$1] + 1 { print "gap", \$1, last[\$1], \$2 } !(\$1 in last) { first[\$1] = \$2 } { last[\$1] = \$2; n[\$1]++ }
			END { for (c in last) print "recovered", c, first[c], last[c], n[c] }'
}
if [ -s /tmp/recovered.data ]; then
	summary /tmp/recovered.data | sort >/tmp/summary
	while read -r line; do fact "\$line"; done </tmp/summary
	perf script -i /tmp/recovered.data -F event,trace 2>/dev/null | grep 'flight:panic' | head -n 1 | one mark
	for file in /tmp/recovered.data*; do
		perf script -i "\$file" -F event,trace 2>/dev/null | sed -n 's/.*sched_process_exec: filename=\([^ ]*\).*/\1/p'
	done | sort | uniq -c | awk '{ print \$1, \$2 }' | paste -s -d ' ' | one second
	perf script -i /tmp/recovered.data --header-only 2>/dev/null | grep 'os release' | one header
fi
shift \$((boot - 1))
[ \$boot != 3 ] || kept-check | one kept
[ -n "\${1-}" ] || { fact end; exit; }
ringtail flight start --recoverable --size 512K black-box -e "kprobe:rt_crash_event n=\$a:s64 cpu=\$b:s64" -e sched:sched_switch >/tmp/said 2>&1
fact started \$?
while read -r line; do fact start "\$line"; done </tmp/said
ringtail flight status | sed -n 2p | one size
# A second flight in the same memory, which only sees what this shell starts by a name of its own.
cp /usr/bin/busybox /tmp/boot\$boot
ringtail flight start --recoverable --size 256K second -q -e sched:sched_process_exec --filter "filename ~ '/tmp/boot*'" || fact second failed
for i in 1 2 3 4 5; do /tmp/boot\$boot true; done
fact lap \$(sed -n 's/^0 //p' /proc/rt_crash)
taskset 1 sh -c 'echo run >/proc/rt_crash' &
taskset 2 sh -c 'echo run >/proc/rt_crash' &
until [ "\$(awk '\$1 ~ /^[01]\$/ && \$2 > '\$((boot * 100000))' { n++ } END { print n + 0 }' /proc/rt_crash)" = 2 ]; do usleep 50000; done
if [ -s /tmp/recovered.data ]; then
	# The new flight records in the other half.
	ringtail flight recover -q -o /tmp/again.data
	summary /tmp/again.data | sort | cmp -s - /tmp/summary && fact again same || fact again differs
fi
fact dies \$1
sleep 1
sh -c "\$1"
sleep 100
SCRIPT
}

facts() { sed -n "s/^boot $1 $2 //p" "$work/out"; }

# Every event of the CPU up to the last one that was counted, or the one under way, without a gap.
# shellcheck disable=SC2317 # ok calls it
agree() { # BOOT
	[ -z "$(facts "$1" gap)" ] || return
	join <(facts "$1" counted | sort) <(facts "$1" recovered | sort) |
		awk '{ if ($4 != $2 - 1 && $4 != $2) bad = 1; if ($5 != $4 - $3 + 1 || $5 < 1000) bad = 1; n++ } END { exit bad || n != 2 }'
}

recovered() { # KERNEL BOOT WAY
	is "$(facts "$2" status)" 0 "$1, $3: the next boot recovers it" || diag "$(facts "$2" said)"
	ok "$1, $3: every committed record, once and in order" agree "$2" ||
		diag "$(grep "^boot $2 \(counted\|recovered\|gap\)" "$work/out")"
	like "$(facts "$2" said)" "flight 'black-box', started at" "$1, $3: by its name"
	is "$(facts "$2" second)" "5 /tmp/boot$(($2 - 1))" "$1, $3: so is the second flight, each record once"
	like "$(facts "$2" said)" 'names are known of tasks' "$1, $3: it says which names are missing"
	is "$(facts "$2" header)" "# os release : $(scripts/vm kernels | awk -v k="$1" '$1 == k { print $2 }')" "$1, $3: perf opens it"
}

# QEMU resets the machine, as the button of a real one does, when a boot says that it dies by waiting for it.
press_reset() {
	local boot=0 next
	while sleep 0.5; do
		next=$(sed -n "s/^boot \([0-9]*\) dies $wait$/\1/p" "$work/out" | tail -n 1)
		[ -n "$next" ] && [ "$next" != "$boot" ] || continue
		boot=$next
		sleep "1.$((RANDOM % 10))"
		echo system_reset >"$work/monitor.in"
	done
}

try() { # KERNEL APPEND RECOVER COUNTERS WAY…
	local kernel=$1 append=$2 recover=$3 counters=$4 boot=1 way presser
	shift 4
	rm -f "$work"/monitor.*
	mkfifo "$work"/monitor.{in,out}
	cat "$work/monitor.out" >/dev/null &
	: >"$work/out"
	press_reset &
	presser=$!
	scripts/vm run "$kernel" --mem "$mem" --timeout 600 --allow panic --append "$append" --qemu -action --qemu reboot=reset \
		--qemu -chardev --qemu "pipe,id=monitor,path=$work/monitor" --qemu -mon --qemu chardev=monitor "${tree[@]}" \
		-- "$(guest "$recover" "$counters" "$@")" >"$work/out" 2>"$work/err"
	is $? 0 "$kernel, $recover: it boots again each time" || diag "$(tail -n 20 "$work/out" "$work/err")"
	kill $presser
	is "$(facts 1 status)" 1 "$kernel: at first there is nothing"
	like "$(facts 1 said)" 'no earlier boot left anything in the memory at 0x[0-9a-f]+: ' "$kernel: it says so"
	like "$(facts 1 size)" '2 events on 2 CPUs, rings of [0-9]+ KB' "$kernel: a flight begins" || diag "$(facts 1 start)"
	for way; do
		boot=$((boot + 1))
		recovered "$kernel" $boot "$way"
		[ $boot -gt $# ] || is "$(facts $boot again)" same "$kernel, $way: and again while the next flight records"
	done
	[ $boot -lt 3 ] || is "$(facts 3 kept)" ok "$kernel: memory that a new flight takes while it is read, and rings that do not fit"
	case $1 in 'echo c '*) like "$(facts 2 mark)" 'flight:panic: .*sysrq triggered crash' "$kernel: the panic is marked" ;; esac
}

# The address that the kernel chose.
chosen() { facts "$1" said | sed -n 's/.*in the memory at \(0x[0-9a-f]*\).*/\1/p' | head -n 1; } # BOOT

# KASLR: the kernel is at another place in each boot.  reserve_mem= may be, too: then recover says so.
randomised() { # KERNEL APPEND COUNTERS
	local kernel=$1 boot moved=0 boots=4
	scripts/vm run "$kernel" --kaslr --mem "$mem" --timeout 900 --append "$2 reserve_mem=32M:2M:black-box" --qemu -action --qemu reboot=reset \
		-- "$(guest black-box "$3" "$reset" "$reset" "$reset")" >"$work/out" 2>"$work/err"
	is $? 0 "$kernel, KASLR: it boots again each time" || diag "$(tail -n 20 "$work/out" "$work/err")"
	ok "$kernel, KASLR: the kernel moves" [ "$(sed -n 's/^boot [0-9]* text //p' "$work/out" | sort -u | wc -l)" -gt 1 ]
	for ((boot = 2; boot <= boots; boot++)); do
		if [ "$(chosen $boot)" = "$(chosen $((boot - 1)))" ]; then
			recovered "$kernel" $boot "KASLR, the memory stays at $(chosen $boot)"
			continue
		fi
		moved=$((moved + 1))
		# An older boot may have left its flight there.
		[ "$(facts $boot status)" = 0 ] ||
			like "$(facts $boot said)" 'chose another address for reserve_mem=' "$kernel, KASLR: the memory moved, and recover says so"
	done
	diag "$kernel, KASLR: $(sed -n 's/^boot [0-9]* text //p' "$work/out" | sort -u | wc -l) addresses of the kernel, the memory moved $moved times in $boots boots"
}

# The memory of the machine outlives it.  QEMU gives an arm64 kernel one seed for KASLR as long as it runs: the next one has another, and the flight is
# recovered.  The boot after it is told to choose another place.
moved() { # KERNEL APPEND COUNTERS
	local kernel=$1 ram before text script
	truncate -s "${mem}M" "$work/ram"
	ram=(--mem "$mem" --timeout 300 --qemu -object --qemu "memory-backend-file,id=ram,size=${mem}M,mem-path=$work/ram,share=on" --qemu -machine --qemu memory-backend=ram)
	script=$(guest black-box "$3" "$reset" "$reset")
	# The reset ends QEMU, and the run with it.
	scripts/vm run "$kernel" "${ram[@]}" --append "$2 reserve_mem=32M:2M:black-box" -- "$script" >"$work/out" 2>"$work/err"
	is "$(facts 1 started)" 0 "$kernel: a flight in memory that the kernel chooses" || diag "$(tail -n 5 "$work/err")"
	before=$(chosen 1) text=$(facts 1 text)
	scripts/vm run "$kernel" "${ram[@]}" --append "$2 reserve_mem=32M:2M:black-box" -- "$script" >"$work/out" 2>"$work/err"
	unlike "$(facts 2 text)" "^$text$" "$kernel, KASLR: the kernel moves"
	is "$(chosen 2)" "$before" "$kernel, KASLR: the memory stays"
	recovered "$kernel" 2 KASLR
	scripts/vm run "$kernel" "${ram[@]}" --append "$2 reserve_mem=64M:2M:other reserve_mem=32M:2M:black-box" -- "$script" >"$work/out" 2>"$work/err"
	is $? 0 "$kernel: the next boot, which chooses another place" || diag "$(tail -n 5 "$work/err")"
	like "$before $(chosen 3)" '^0x[0-9a-f]+ 0x[0-9a-f]+$' "$kernel: both say where"
	unlike "$(chosen 3)" "^$before$" "$kernel: it did move"
	is "$(facts 3 status)" 1 "$kernel: nothing is recovered"
	like "$(facts 3 said)" 'chose another address for reserve_mem= \(then boot with nokaslr\)' "$kernel: recover says why, and what to do"
	rm -f "$work/ram"
}

wait='sleep 90' tree=() mem=768
panic='echo c >/proc/sysrq-trigger'
reset='echo b >/proc/sysrq-trigger'
case $(uname -m) in
aarch64) try newest-arm64 'mem=704M' 0x6c000000,32M 0x6f000000 "$panic" 'reboot -f' ;;
*) try newest-x86_64 'memmap=64M$0x10000000' 0x10000000,32M 0x13000000 "$panic" 'reboot -f' ;;
esac
if [ "$level" != default ]; then
	case $(uname -m) in
	aarch64) try 6.1-x86_64 'memmap=64M$0x10000000' 0x10000000,32M 0x13000000 "$panic" "$reset" 'reboot -f' "$wait" ;;
	*) try newest-arm64 'mem=704M' 0x6c000000,32M 0x6f000000 "$panic" "$reset" 'reboot -f' "$wait" ;;
	esac
	# By name; the kernel says where it is.
	try newest-arm64 'mem=704M reserve_mem=32M:2M:black-box' black-box 0x6f000000 "$reset" "$wait" "$panic"
	randomised newest-x86_64 'memmap=16M$0x10000000' 0x10000000
	moved newest-arm64 mem=704M 0x6f000000
	mem=512
	# By name, from the device tree: QEMU's own with one node more.  The oldest kernel does not know reserve_mem=.
	"$(arch_fact arm64 qemu)" -nodefaults -no-user-config -display none -machine "$(arch_fact arm64 machine),dumpdtb=$work/fdt" \
		-cpu "$(arch_fact arm64 cpu)" -smp 2 -m 512 2>"$work/err"
	is $? 0 "QEMU's device tree" || diag "$(cat "$work/err")"
	python3 tests/host/lib/fdt-reserve.py "$work/fdt" "$work/tree" black-box 0x5c000000 0x2000000
	tree=(--qemu -dtb --qemu "$work/tree")
	try 5.10-arm64 'mem=496M' black-box 0x5f000000 "$panic" "$reset"
	python3 tests/host/lib/fdt-reserve.py "$work/fdt" "$work/tree" black-box 0x5c000000 0x2000000 reusable
	scripts/vm run 5.10-arm64 --mem 512 "${tree[@]}" -- 'insmod /rt/ringtail.ko recover=black-box && dmesg | grep recover=' >"$work/out" 2>"$work/err"
	is $? 0 "5.10-arm64: a node that is not for us: the module loads without" || diag "$(tail -n 5 "$work/err")"
	like "$(cat "$work/out")" 'this node of the device tree is for a driver, or reusable' "5.10-arm64: and says why"
fi

# What is refused, and how.  An address inside the guest's memory, and one without memory: arm64 stops at a read
# of such an address, x86 reads ones.
case $(uname -m) in
x86_64) inside=0x8000000 hole=0x48000000 ;;
*) inside=0x48000000 hole= ;;
esac
scripts/vm run "newest-$(uname -m | sed 's/aarch64/arm64/')" --mem 512 -- '
try() { insmod /rt/ringtail.ko "recover=$1"; echo "$2 status $?"; ringtail flight recover 2>&1 | sed "s/^/$2 says /"
	ringtail flight start --recoverable -e sched:sched_switch 2>&1 | sed "s/^/$2 start /"; dmesg | grep "ringtail: recover=" | tail -n 1 | sed "s/^/$2 log /"
	rmmod ringtail 2>/dev/null; }
try 12 syntax
try '"$inside"',32M ram
[ -z "'"$hole"'" ] || try "'"$hole"',32M" hole
try '"$inside"',17G huge
try nothing name
try "" none' >"$work/out" 2>"$work/err"
is $? 0 "parameters that are refused" || diag "$(cat "$work/err")"
like "$(grep '^syntax' "$work/out")" 'status [1-9]' "a parameter that cannot be read: the module does not load"
like "$(grep '^syntax log' "$work/out")" 'not ADDRESS,SIZE such as' "with the reason in the log"
is "$(grep -c '^\(ram\|huge\|name\|none\) status 0$' "$work/out")" 4 "memory that cannot be used: it loads without"
like "$(grep '^ram log' "$work/out")" 'the kernel uses this memory; keep it from the kernel by memmap=' "the kernel's own memory is not touched"
like "$(grep '^huge log' "$work/out")" 'the size 2M to 16G' "more than the module looks through"
like "$(grep '^name log' "$work/out")" 'the kernel has no memory of this name' "a name that the kernel does not know"
if [ -n "$hole" ]; then
	like "$(grep '^hole start' "$work/out")" "firmware's map calls 0x48000000 to 0x49ffffff no memory: load the module with" \
		"an address without memory: flight start says what to do"
fi
for what in ram huge name none; do
	like "$(grep "^$what says" "$work/out")" 'the module has no memory that the next boot leaves alone: load it with recover=ADDRESS,SIZE' "recover says what to do"
	like "$(grep "^$what start" "$work/out")" 'the module has no memory that the next boot leaves alone: load it with recover=ADDRESS,SIZE' "so does flight start"
done
done_testing
