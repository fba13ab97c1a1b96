#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# check: level=all
#
# Fifty machines that die at random moments while all their CPUs write to a flight, in each way that there is: sysrq, a NULL dereference in a task and
# in an interrupt, a soft lockup, an NMI (x86_64; on arm64 the interrupt of a counter, where the kernel has pseudo-NMIs), a reset, and a machine that
# just stops.  2, 4, 8, 16 and 64 CPUs.  Each dump gives back every record that was committed, none torn or doubled.
#
# RT_PANICS says how many, RT_SEED begins the same series again, RT_KERNELS, RT_WAYS and RT_CPUS name others than those that the test chooses.
# RT_KEEP names a directory for the dumps that lack something.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/crash.sh
. tests/lib/flight-crash.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s build/ringtail || exit 1
panics=${RT_PANICS:-50}
RANDOM=${RT_SEED:=$((RANDOM * 32768 + RANDOM))}
diag "RT_SEED=$RT_SEED"
# The checking kernel is the one with pseudo-NMIs.
read -ra kernels <<<"${RT_KERNELS:-$(scripts/vm kernels --default | paste -s -d ' ') debug-arm64}"
pending=0 records=0
# Many fields take long to fetch: so more of the machines die in the middle of a record.
# shellcheck disable=SC2034 # flight_guest uses it
FLIGHT_FIELDS=$(for i in {1..24}; do printf ' s%d=+%d(%%sp):x64' "$i" $((8 * i)); done)

running() { # CPUS
	local tries
	for ((tries = 0; tries < 1500 + 100 * $1; tries++)); do
		! grep -q '^running' "$work/out" || return 0
		kill -0 "$crash_run" 2>/dev/null || return 1
		sleep 0.2
	done
	return 1
}

# One machine, dead, and its memory in $work/vmcore.
die() { # KERNEL CPUS WAY
	local script=:
	case $3 in
	sysrq) script='echo c >/proc/sysrq-trigger' ;;
	null | irq) script="echo $3 >/proc/rt_crash" ;;
	counter) script='echo counter >/proc/rt_crash; sleep 600' ;;
	lockup) script='echo 3 >/proc/sys/kernel/watchdog_thresh; echo 1 >/proc/sys/kernel/softlockup_panic; echo lockup >/proc/rt_crash' ;;
	nmi) script='echo 1 >/proc/sys/kernel/unknown_nmi_panic; echo armed; sleep 600' ;;
	stop | reset) script='sleep 600' ;;
	esac
	# At another moment each time: in the guest, where its clock goes by instructions, and in the host.
	case $3 in stop | reset) ;; *) script="usleep $((RANDOM * 20)); $script" ;; esac
	CRASH_OPTIONS=(--smp "$2")
	# So many CPUs need no thread each: they would starve everything else.
	[ "$2" -le 8 ] || CRASH_OPTIONS+=(--turns)
	# A counter's interrupt is an NMI only in a kernel that was built and booted for it.
	[ "$3" != counter ] || CRASH_OPTIONS+=(--append irqchip.gicv3_pseudo_nmi=1)
	crash_boot "$work" "$1" "$(flight_guest "$2" "$script")" && running "$2" || return
	case $3 in
	stop)
		sleep "0.$((RANDOM % 10))$((RANDOM % 10))"
		crash_ask stop stop ''
		;;
	reset)
		sleep "0.$((RANDOM % 10))$((RANDOM % 10))"
		crash_say '{ "execute": "system_reset" }'
		crash_wait event SHUTDOWN host-qmp-system-reset
		;;
	nmi)
		until grep -q '^armed' "$work/out"; do sleep 0.1; done
		crash_ask nmi inject-nmi '' && crash_died
		;;
	*) crash_died ;;
	esac && crash_dump "$work" vmcore elf
}

for ((i = 1; i <= panics; i++)); do
	# Each kernel in each way, one after the other.
	kernel=${kernels[(i - 1) % ${#kernels[@]}]}
	read -ra ways <<<"${RT_WAYS:-sysrq stop null lockup irq reset}"
	[ -n "${RT_WAYS-}" ] || case $kernel in *x86_64*) ways+=(nmi) ;; debug-arm64) ways+=(counter) ;; esac
	way=${ways[(i - 1) / ${#kernels[@]} % ${#ways[@]}]}
	cpus=2
	# Many CPUs take long to emulate: a few of the fifty have them.
	case $((i % 10)) in 3) cpus=4 ;; 6) cpus=8 ;; esac
	case $i in 20 | 30) cpus=16 ;; 50) cpus=64 ;; esac
	read -ra counts <<<"${RT_CPUS-}"
	[ ${#counts[@]} -eq 0 ] || cpus=${counts[(i - 1) % ${#counts[@]}]}
	CRASH_MEM=512
	[ "$cpus" -lt 64 ] || CRASH_MEM=2048
	# shellcheck disable=SC2034 # crash_boot uses it
	CRASH_TIMEOUT=600
	# A checking kernel needs more memory, and is slower.
	case $kernel in debug-*) CRASH_MEM=1024 CRASH_TIMEOUT=1800 cpus=$((cpus > 4 ? 4 : cpus)) ;; esac
	name="$i: $kernel, $cpus CPUs, $way"
	ok "$name: it dies" die "$kernel" $cpus "$way" || { diag "$(tail -n 5 "$work/err")"; crash_end; continue; }
	crash_end
	counted "$work/vmcore" $cpus >"$work/counted"
	build/ringtail flight extract "$work/vmcore" -o "$work/data" >"$work/said" 2>&1
	is $? 0 "$name: the records come out" || diag "$(cat "$work/said")"
	build/ringtail script -i "$work/data" -F comm,tid,cpu,time,event,trace >"$work/text" 2>/dev/null
	extracted "$work/text" >"$work/extracted"
	ok "$name: every committed record, once and in order" agree "$work/counted" "$work/extracted" || {
		diag "counted: $(cat "$work/counted")" "extracted: $(cat "$work/extracted")" "$(cat "$work/said")"
		[ -z "${RT_KEEP-}" ] || cp "$work/vmcore" "$RT_KEEP/vmcore.$i"
	}
	[ "$way" != counter ] || ok "$name: it was an NMI" grep -q "rt_crash: the counter's interrupt is an NMI" "build/vm/$kernel/console.log"
	pending=$((pending + $(sed -n 's/^ *\([0-9]*\) records* \(was\|were\) being written.*/\1/p' "$work/said" | head -n 1 | grep . || echo 0)))
	records=$((records + $(wc -l <"$work/text")))
	rm -f "$work/vmcore" "$work/data"
done
diag "$records records of $panics machines; $pending were being written and are skipped"
done_testing
