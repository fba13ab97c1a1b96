#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# read - `ringtail script` against perf on the same files in the same run: processor time, which
# other work on the machine changes little, memory, source lines, growth with the file, and
# what a second processor gives.
#
# The files are made here and kept in build/bench/: a million cpu-clock samples with
# stacks as deep as usual programs have them, a quarter of that, a million with shallow stacks, five
# million tracepoint events (a real recording, its records repeated with later times), a million of
# these, a program with debug information, the same with copies of its stack, and a recording of one
# short command.

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

program() { # NAME SOURCE
	[ -x "$dir/$1" ] || gcc -g -O2 -fno-omit-frame-pointer -pthread -o "$dir/$1" "$2"
}

count() { "$ringtail" script -q -F event -G -i "$1" 2>/dev/null | wc -l; }

# Two that are recorded, each by several processes at a time.  An interpreter, mostly, and a walk
# through directories; or a program most of whose time is in functions without frame pointers.
deep() { # NUMBER
	"$dir/deep" 2000 "$1"
	ls -lR /usr/share/doc >/dev/null
}
shallow() {
	"$dir/work" 2000
	ls -lR /usr/share/doc >/dev/null
}

stacks() { # FILE SAMPLES WORK
	[ ! -e "$1" ] || return 0
	local i n pids=() seconds=$(($2 / hertz / $(nproc) + 1))
	for ((i = 0; i < $(nproc) * 2; i++)); do
		# Not with the priority of a quiet measurement: perf could not keep up.
		(chrt --other --pid 0 $BASHPID; for ((n = i; ; n += 100)); do "$3" $n; done) &
		pids+=($!)
	done
	for ((i = 0; i < 4; i++)); do
		perf record -q -m 4M -a -g -e cpu-clock -F $hertz -o "$1.new" -- sleep $seconds || true
		[ "$(count "$1.new")" -lt "$2" ] || break
		seconds=$((2 * seconds))
	done
	kill "${pids[@]}"
	wait 2>/dev/null || true
	mv "$1.new" "$1"
}

# A build of ringtail: many short processes, most without frame pointers.
build() { # FILE SECONDS
	[ ! -e "$1" ] || return 0
	rm -rf "$dir/build"
	perf record -q -m 4096 -a -g -e cpu-clock -F 16000 -o "$1.new" -- \
		env CCACHE_DISABLE=1 timeout "$2" make -s -j"$(nproc)" B="$dir/build" >/dev/null 2>&1 || true
	rm -rf "$dir/build"
	mv "$1.new" "$1"
}

program work tests/host/lib/work.c
build "$dir/build.data" $((samples / 16000 / $(nproc) + 3))
build "$dir/build-again.data" $((3 * samples / 4 / 16000 / $(nproc) + 3))
program deep tests/bench/deep.c
stacks "$dir/stacks.data" "$samples" deep
stacks "$dir/quarter.data" $((samples / 4)) deep
stacks "$dir/shallow.data" "$samples" shallow
tracepoints "$dir/tracepoints.data" "$events"
[ -e "$dir/lines.data" ] || perf record -q -g -e cpu-clock -F $hertz -o "$dir/lines.data" -- "$dir/work" 3000

[ -e "$dir/million.data" ] || tracepoints "$dir/million.data" 1000000
[ -e "$dir/dwarf.data" ] || perf record -q -m 4M --call-graph dwarf,2048 -e cpu-clock -F 20000 -o "$dir/dwarf.data" -- "$dir/work" 40000
[ -e "$dir/small.data" ] || perf record -q -g -e cpu-clock -o "$dir/small.data" -- ls -l /usr/bin >/dev/null

# --- measuring ---------------------------------------------------------------------------

# used COMMAND…: seconds of processors (user and system, as getrusage() counts them) that $runs
# runs of it take, divided by their number.
used() {
	local TIMEFORMAT='%3U %3S' i
	{ time for ((i = 0; i < runs; i++)); do "$@" >/dev/null 2>&1; done; } 2>&1 |
		awk -v n="$runs" '{ printf "%.5f\n", ($1 + $2) / n }'
}

# measure COMMAND…: the least of $times into $seconds, and its kilobytes into $kilobytes.
times=3 runs=1
measure() {
	local i
	kilobytes=$( (/usr/bin/time -f %M "$@" >/dev/null) 2>&1 | tail -n 1)
	seconds=$(for ((i = 0; i < times; i++)); do used "$@"; done | sort -n | head -n 1)
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# measure_both FILE: both programs in turns, so that both have the same hours of a busy machine;
# the median of $times of each into $perf_seconds and $seconds.
measure_both() {
	local i
	rm -f "$dir"/used-{perf,ringtail}
	for ((i = 0; i < times; i++)); do
		used perf script -i "$1" >>"$dir/used-perf"
		used "$ringtail" script -q -i "$1" >>"$dir/used-ringtail"
	done
	perf_seconds=$(median <"$dir/used-perf")
	seconds=$(median <"$dir/used-ringtail")
}

# like_perf FILE: whether both print the same.
like_perf() {
	if cmp -s <(perf script -i "$1" 2>/dev/null) <("$ringtail" script -q -i "$1" 2>/dev/null); then
		echo "the same text"
	else
		echo "another text"
	fi
}

cat "$dir/stacks.data" "$dir/tracepoints.data" >/dev/null # both read from memory

# against NAME FILE GOAL: the ratio of both programs' processor time.
against() {
	measure_both "$2"
	echo "$1, $(count "$2") samples, $(like_perf "$2"): perf $perf_seconds s, ringtail $seconds s"
	bench "read.$1.speed" "$(ratio "$perf_seconds" "$seconds")" '>=' "$3"
}

times=7
against shallow "$dir/shallow.data" 10
against million "$dir/million.data" 10
against dwarf "$dir/dwarf.data" 5
runs=20 # one takes only milliseconds
against small "$dir/small.data" 5
# The same as the first run of a boot, which has to read /proc/kallsyms.
first() { rm -f ~/.cache/ringtail/kernel-symbols; "$ringtail" "$@"; }
echo "small, without the symbols that an earlier run kept: ringtail $(used first script -q -i "$dir/small.data") s"
runs=1 times=3

measure perf script -i "$dir/stacks.data"
perf_kilobytes=$kilobytes
measure "$ringtail" script -q -i "$dir/stacks.data"
measure_both "$dir/stacks.data"
all_seconds=$seconds
n=$(count "$dir/stacks.data")
frames=$("$ringtail" script -q -F ip -i "$dir/stacks.data" | grep -c '	')
echo "$n samples with stacks of $(ratio "$frames" "$n") frames, $(like_perf "$dir/stacks.data"): perf $perf_seconds s, $perf_kilobytes kB; ringtail $seconds s, $kilobytes kB"
bench read.script.speed "$(ratio "$perf_seconds" "$seconds")" '>=' 15
bench read.script.memory "$(ratio "$kilobytes" "$perf_kilobytes")" '<=' 1

# The tables of report, in turns as above.
tables() { # FILE: into $perf_seconds, $seconds, $perf_kilobytes and $kilobytes
	local i
	rm -f "$dir"/used-{perf,ringtail}
	for ((i = 0; i < times; i++)); do
		used perf report --stdio -i "$1" >>"$dir/used-perf"
		used "$ringtail" report -q -i "$1" >>"$dir/used-ringtail"
	done
	measure perf report --stdio -i "$1"
	perf_kilobytes=$kilobytes
	measure "$ringtail" report -q -i "$1"
	perf_seconds=$(sort -n "$dir/used-perf" | head -n 1)
	seconds=$(sort -n "$dir/used-ringtail" | head -n 1)
}

tables "$dir/stacks.data"
echo "report of $n samples with stacks: perf $perf_seconds s, $perf_kilobytes kB; ringtail $seconds s, $kilobytes kB"
bench read.report.speed "$(ratio "$perf_seconds" "$seconds")" '>=' 10
bench read.report.memory "$(ratio "$kilobytes" "$perf_kilobytes")" '<=' 0.25

# The same of a whole machine that builds: script, tables, folded stacks, and the difference of two.
both() { # NAME GOAL PERF-ARGUMENTS -- ARGUMENTS: in turns; the least of each
	local name=$1 goal=$2 i perf=()
	shift 2
	while [ "$1" != -- ]; do perf+=("$1"); shift; done
	shift
	rm -f "$dir"/used-{perf,ringtail}
	for ((i = 0; i < times; i++)); do
		used perf "${perf[@]}" >>"$dir/used-perf"
		used "$ringtail" "$@" >>"$dir/used-ringtail"
	done
	measure perf "${perf[@]}"
	perf_kilobytes=$kilobytes
	measure "$ringtail" "$@"
	perf_seconds=$(sort -n "$dir/used-perf" | head -n 1)
	seconds=$(sort -n "$dir/used-ringtail" | head -n 1)
	echo "build, $name: perf $perf_seconds s, $perf_kilobytes kB; ringtail $seconds s, $kilobytes kB"
	bench "read.build.$name.speed" "$(ratio "$perf_seconds" "$seconds")" '>=' "$goal"
}
build=$dir/build.data
echo "$(count "$build") samples of a build"
both script 10 script -i "$build" -- script -q -i "$build"
both report 10 report --stdio -i "$build" -- report -q -i "$build"
both folded 10 report --stdio -g folded,0 --no-children -i "$build" -- report -q -g folded,0 --no-children -i "$build"
both diff 5 diff "$build" "$dir/build-again.data" -- diff -q "$build" "$dir/build-again.data"
bench read.build.diff.memory "$(ratio "$kilobytes" "$perf_kilobytes")" '<=' 0.25

# The browser: elapsed time until the first line of the table is on the screen.
first_of() { for ((i = 0; i < times; i++)); do tests/bench/first_screen.py "$@" -i "$dir/quarter.data"; done | sort -n | head -n 1; }
perf_seconds=$(first_of perf report)
seconds=$(first_of "$ringtail" report)
echo "the first screen of a quarter of these samples: perf $perf_seconds s, ringtail $seconds s"
bench read.browser.first "$(ratio "$perf_seconds" "$seconds")" '>=' 10

measure "$ringtail" script -q -i "$dir/quarter.data"
quarter=$(count "$dir/quarter.data")
echo "$quarter samples: $seconds s"
bench read.script.linear "$(awk -v t="$all_seconds" -v n="$n" -v q="$seconds" -v m="$quarter" 'BEGIN { printf "%.3f", (t / n) / (q / m) }')" '<=' 1.2

measure perf script -i "$dir/tracepoints.data"
perf_kilobytes=$kilobytes
measure "$ringtail" script -q -i "$dir/tracepoints.data"
measure_both "$dir/tracepoints.data"
echo "$(count "$dir/tracepoints.data") tracepoint events: perf $perf_seconds s, $perf_kilobytes kB; ringtail $seconds s, $kilobytes kB"
bench read.tracepoints.speed "$(ratio "$perf_seconds" "$seconds")" '>=' 10
bench read.tracepoints.memory "$(ratio "$kilobytes" "$perf_kilobytes")" '<=' 1

measure perf script -F +srcline -i "$dir/lines.data"
perf_seconds=$seconds
measure "$ringtail" script -q --inline -F +srcline -i "$dir/lines.data"
echo "source lines of $(count "$dir/lines.data") samples: perf $perf_seconds s without inlined frames; ringtail $seconds s with them"
bench read.srcline.speed "$(ratio "$perf_seconds" "$seconds")" '>=' 5

# --- what a second processor gives: elapsed time, so last --------------------------------

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
