#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# script-jit - code that was made while it ran, named by the lists that Java, node and Python
# leave in /tmp/perf-PID.map: the same names as perf's, and not unknown.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/host/lib/corpus.sh
. tests/host/lib/compare.sh
lib=$PWD/tests/host/lib
dir=$(mktemp -d)
trap 'rm -rf "$dir" $maps' EXIT
maps=

# perf has crashed while it recorded; that is not what is tested here.
recorded() { # COMMAND…
	for _ in 1 2 3; do
		perf record -q -o "$dir/jit.data" -e cpu-clock:u -F 2000 -g -- "$@" >"$dir/log" 2>&1 && return
	done
	return 1
}

# named WHAT REGEX COMMAND…: samples of the command are in functions that match, for both.
named() {
	local what=$1 regex=$2 pid perf ours added other again
	shift 2
	if ! recorded "$@"; then
		tap_point 1 "$what: recorded"
		sed 's/^/# /' "$dir/log" | tail -n 5
		return
	fi
	pid=$(perf script -i "$dir/jit.data" -F pid 2>/dev/null | sort | uniq -c | sort -n | awk 'END { print $2 }')
	maps="$maps /tmp/perf-$pid.map"
	ok "$what: the list is there" test -s "/tmp/perf-$pid.map"
	perf=$(perf script -i "$dir/jit.data" -F ip,sym,dso 2>/dev/null | grep -cE "$regex.*perf-$pid.map")
	ours=$("$ringtail" script -q -i "$dir/jit.data" -F ip,sym,dso 2>"$dir/log" | grep -cE "$regex.*perf-$pid.map")
	is "$(cat "$dir/log")" "" "$what: read without complaint"
	# perf 6.1 for arm64 adds a second frame that never called, and --compat does so, too.
	perf script -i "$dir/jit.data" -F ip,sym,dso 2>/dev/null >"$dir/perf.txt"
	"$ringtail" script -q -i "$dir/jit.data" -F ip,sym,dso >"$dir/ours.txt" 2>/dev/null
	read -r added other <<-END
		$(awk -f "$lib/second-frames.awk" "$dir/perf.txt" "$dir/ours.txt")
	END
	is "$other" 0 "$what: no stack differs in more than perf's second frame"
	ok "$what: $ours frames named, perf's $perf, of which it added at most $added" test $((ours + added)) -ge "$perf" -a "$ours" -gt 10
	again=0
	for _ in 1 2 3 4; do
		"$ringtail" script -q -i "$dir/jit.data" -F ip,sym,dso 2>/dev/null | cmp -s - "$dir/ours.txt" && again=$((again + 1))
	done
	is $again 4 "$what: the same stacks whenever it is read"
	compat=--compat
	same "$what: as perf with --compat" "$dir/jit.data"
}

named Java 'twist' java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit -XX:+PreserveFramePointer \
	-XX:TieredStopAtLevel=1 "$lib/Jit.java" 100000
like "$(head -n 1 "${maps##* }")" '^0x' "Java's list has 0x before its numbers"
named node 'twistOfJavaScript' node --perf-basic-prof --interpreted-frames-native-stack --logfile=/dev/null "$lib/jit.js" 100000
named Python 'py::count_down:/srv/my program.py' /usr/bin/python3 "$lib/jit.py" 300000000
named 'Python with 0x' 'py::count_down:/srv/my program.py' /usr/bin/python3 "$lib/jit.py" 300000000 0x
done_testing
