#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# draw - flamegraph and report --html against reading the same file with all its stacks and doing
# nothing with them (profile.c): processor time, all in turns in the same run.
#
# The files are made here and kept in build/bench/: samples with stacks of the kernel and of programs
# without symbols and frame pointers, whose addresses are lines of their own; a million samples with
# stacks of the kernel; and a million tracepoint events.  Files with a million records are real
# recordings, the records repeated with later times.

set -eu
. "$(dirname "$0")/../../scripts/lib/setup.sh"
. "$RT_TOP/scripts/lib/bench.sh"
cd "$RT_TOP"
rt_need bench unit

dir=$RT_TOP/build/bench
mkdir -p "$dir"
make -s all build/bench/profile
ringtail=$RT_TOP/build/ringtail
times=7

samples() { # FILE
	[ ! -e "$1" ] || return 0
	perf record -q -m 4M -a -g -e cpu-clock -F 25000 -o "$1.new" -- sh -c '
		for i in 1 2 3; do
			ls -lR /usr/share >/dev/null
			find /usr -type f -size -64k | head -n 20000 | xargs gzip -c | gzip -dc | sha1sum
			ls /usr/bin/*-gcc-* /usr/bin/gcc | while read gcc; do
				echo "#include <stdio.h>" | $gcc -O2 -x c -c -o /dev/null -
			done
			perl -e "print join q(,), map { \$_ ** 3 } 1 .. 300000"
		done >/dev/null 2>&1'
	mv "$1.new" "$1"
}

kernel() { # FILE SAMPLES
	[ ! -e "$1" ] || return 0
	# With two events each sample says which one it is of, which repeat.pl needs.
	perf record -q -m 4M -a -g --kernel-callchains -e cpu-clock:k -e sched:sched_process_exit -F 25000 -o "$1.few" -- \
		sh -c 'for i in 1 2 3 4 5; do ls -lR /usr/share >/dev/null; done'
	perl tests/bench/repeat.pl "$1.few" "$1.new" "$2"
	mv "$1.new" "$1"
	rm -f "$1.few"
}

samples "$dir/draw-samples.data"
kernel "$dir/draw-million.data" 1000000
tracepoints "$dir/draw-events.data" 1000000

used() { # COMMAND…: seconds of processors, as getrusage() counts them
	local TIMEFORMAT='%3U %3S'
	{ time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ printf "%.3f\n", $1 + $2 }'
}
best() { sort -n "$dir/used-$1" | head -n 1; }

against() { # NAME FILE
	local i
	rm -f "$dir"/used-{read,report,flamegraph,html}
	for ((i = 0; i < times; i++)); do
		used "$dir/profile" "$2" >>"$dir/used-read"
		used "$ringtail" report -q --stdio -g none -i "$2" >>"$dir/used-report"
		used "$ringtail" flamegraph -q -i "$2" -o /dev/null >>"$dir/used-flamegraph"
		used "$ringtail" report -q -i "$2" --html "$dir/draw.html" >>"$dir/used-html"
	done
	echo "$1, $("$dir/profile" "$2"): reading alone $(best read) s, report --stdio $(best report) s," \
		"flamegraph $(best flamegraph) s, report --html $(best html) s, page of $(stat -c %s "$dir/draw.html") bytes"
	bench "draw.$1.flamegraph" "$(ratio "$(best flamegraph)" "$(best read)")" '<=' 1.5
	bench "draw.$1.html" "$(ratio "$(best html)" "$(best read)")" '<=' 1.5
	bench "draw.$1.page" "$(stat -c %s "$dir/draw.html")" '<=' 5000000
}
against samples "$dir/draw-samples.data"
against million "$dir/draw-million.data"
against events "$dir/draw-events.data"
