#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# read - `ringtail script` against perf on the same files in the same run: speed, memory,
# source lines, growth with the file, and what a second processor gives.
#
# The files are made here and kept in build/bench/: a million cpu-clock samples with
# stacks, a quarter of that, five million tracepoint events (a real recording, its records
# repeated with later times), and a program with debug information.

set -eu
. "$(dirname "$0")/../../scripts/lib/setup.sh"
. "$RT_TOP/scripts/lib/bench.sh"
cd "$RT_TOP"
rt_need bench unit

dir=$RT_TOP/build/bench
hertz=25000
samples=${RT_BENCH_SAMPLES:-1000000}
events=${RT_BENCH_EVENTS:-5000000}
mkdir -p "$dir"
make -s
ringtail=$RT_TOP/build/ringtail

# --- the files -------------------------------------------------------------------------

program() {
	[ -x "$dir/work" ] || gcc -g -O2 -fno-omit-frame-pointer -pthread -o "$dir/work" tests/host/lib/work.c
}

count() { "$ringtail" script -q -F event -G -i "$1" 2>/dev/null | wc -l; }

stacks() { # FILE SAMPLES
	[ ! -e "$1" ] || return 0
	local i pids=() seconds=$(($2 / hertz / $(nproc) + 1))
	for ((i = 0; i < $(nproc) * 2; i++)); do
		# Not with the priority of a quiet measurement: perf could not keep up.
		(chrt --other --pid 0 $BASHPID; while :; do "$dir/work" 2000; ls -lR /usr/share/doc >/dev/null; done) &
		pids+=($!)
	done
	for ((i = 0; i < 4; i++)); do
		perf record -q -a -g -e cpu-clock -F $hertz -o "$1.new" -- sleep $seconds || true
		[ "$(count "$1.new")" -lt "$2" ] || break
		seconds=$((2 * seconds))
	done
	kill "${pids[@]}"
	wait 2>/dev/null || true
	mv "$1.new" "$1"
}

tracepoints() { # FILE EVENTS
	[ ! -e "$1" ] || return 0
	mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing
	perf record -q -m 4M -o "$dir/few.data" -e raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch,sched:sched_wakeup \
		-a -- sh -c 'ls -lR /usr/share/doc >/dev/null' || true
	perl tests/bench/repeat.pl "$dir/few.data" "$1.new" "$2"
	mv "$1.new" "$1"
	rm -f "$dir/few.data"
}

program
stacks "$dir/stacks.data" "$samples"
stacks "$dir/quarter.data" $((samples / 4))
tracepoints "$dir/tracepoints.data" "$events"
[ -e "$dir/lines.data" ] || perf record -q -g -e cpu-clock -F $hertz -o "$dir/lines.data" -- "$dir/work" 3000

# --- measuring ---------------------------------------------------------------------------

# measure COMMAND…: seconds and kilobytes into $seconds and $kilobytes, the best of $times.
times=3
measure() {
	local i s k
	seconds=
	for ((i = 0; i < times; i++)); do
		/usr/bin/time -o "$dir/time" -f '%e %M' "$@" >/dev/null 2>&1 || true
		read -r s k < <(tail -n 1 "$dir/time")
		if [ -z "$seconds" ] || awk -v a="$s" -v b="$seconds" 'BEGIN { exit !(a < b) }'; then seconds=$s kilobytes=$k; fi
	done
}

cat "$dir/stacks.data" "$dir/tracepoints.data" >/dev/null # both read from memory

measure perf script -i "$dir/stacks.data"
perf_seconds=$seconds perf_kilobytes=$kilobytes
measure "$ringtail" script -q -i "$dir/stacks.data"
all_seconds=$seconds
n=$(count "$dir/stacks.data")
echo "$n samples with stacks: perf $perf_seconds s, $perf_kilobytes kB; ringtail $seconds s, $kilobytes kB"
bench read.script.speed "$(ratio "$perf_seconds" "$seconds")" '>=' 10
bench read.script.memory "$(ratio "$kilobytes" "$perf_kilobytes")" '<=' 1

measure "$ringtail" script -q -i "$dir/quarter.data"
quarter=$(count "$dir/quarter.data")
echo "$quarter samples: $seconds s"
bench read.script.linear "$(awk -v t="$all_seconds" -v n="$n" -v q="$seconds" -v m="$quarter" 'BEGIN { printf "%.3f", (t / n) / (q / m) }')" '<=' 1.2

# clocked COMMAND…: the seconds it took, to the microsecond
clocked() {
	local from=$EPOCHREALTIME to
	"$@" >/dev/null 2>&1 || true
	to=$EPOCHREALTIME
	awk -v a="$from" -v b="$to" 'BEGIN { printf "%.6f\n", b - a }'
}

script() { taskset -c "$1" "$ringtail" script -q -i "$2"; } # PROCESSORS FILE
# Two of one processor each, at once: what the machine gives at best.
apart() { # FILE
	script 0 "$1" &
	script 1 "$1"
	wait
}

best() { sort -n "$1" | head -n 1; }
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# Runs this short differ by a third with what else the hardware does: one and two processors
# take turns, and as everywhere here the best of each counts.
second_core() { # NAME FILE
	local i
	rm -f "$dir"/{one,two,apart}
	for ((i = 0; i < 21; i++)); do
		clocked script 0 "$2" >>"$dir/one"
		clocked script 0,1 "$2" >>"$dir/two"
		clocked apart "$2" >>"$dir/apart"
	done
	echo "best and median: one processor $(best "$dir/one") $(median "$dir/one") s, two $(best "$dir/two") $(median "$dir/two") s;" \
		"two at once, one processor each, $(best "$dir/apart") $(median "$dir/apart") s"
	bench "$1" "$(ratio "$(best "$dir/one")" "$(best "$dir/two")")" '>=' 1.6
}

if [ "$(nproc)" -gt 1 ]; then
	second_core read.script.second-core "$dir/stacks.data"
	second_core read.tracepoints.second-core "$dir/tracepoints.data"
fi

measure perf script -i "$dir/tracepoints.data"
perf_seconds=$seconds perf_kilobytes=$kilobytes
measure "$ringtail" script -q -i "$dir/tracepoints.data"
echo "$(count "$dir/tracepoints.data") tracepoint events: perf $perf_seconds s, $perf_kilobytes kB; ringtail $seconds s, $kilobytes kB"
bench read.tracepoints.speed "$(ratio "$perf_seconds" "$seconds")" '>=' 10
bench read.tracepoints.memory "$(ratio "$kilobytes" "$perf_kilobytes")" '<=' 1

measure perf script -F +srcline -i "$dir/lines.data"
perf_seconds=$seconds
measure "$ringtail" script -q --inline -F +srcline -i "$dir/lines.data"
echo "source lines of $(count "$dir/lines.data") samples: perf $perf_seconds s without inlined frames; ringtail $seconds s with them"
bench read.srcline.speed "$(ratio "$perf_seconds" "$seconds")" '>=' 50
