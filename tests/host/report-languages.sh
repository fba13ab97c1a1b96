#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# check: level=all
#
# report-languages - `ringtail report` prints what `perf report --stdio` prints for programs in C++, Rust,
# Go and Java, and for the kernel.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/host/lib/corpus.sh
. tests/host/lib/compare.sh
. tests/host/lib/same-report.sh
lib=$PWD/tests/host/lib
dir=$(mktemp -d)
trap 'rm -rf "$dir" $maps' EXIT
maps=
corpus=$dir
export GOCACHE=$dir/go-cache GO111MODULE=off GOFLAGS=

# recorded NAME OPTION… -- COMMAND…: with frame pointers; perf has crashed while it recorded, which is not
# what is tested here.
recorded() {
	local name=$1
	shift
	for _ in 1 2 3; do
		perf record -q -o "$dir/$name.data" -F 2000 "$@" >/dev/null 2>"$dir/log" && return
	done
	tap_point 1 "$name: recorded"
	sed 's/^/# /' "$dir/log" | tail -n 5
	return 1
}

compared() { # NAME
	local options
	for options in '' '--no-children' '-g callee' '-g fractal' '-g folded,0 --no-children' '-g none -s pid' '-s dso,sym -n' \
		'-s comm,dso --no-children' '-F overhead,sample,dso,sym -g none' '--percent-limit 2' '--max-stack 4' '-t, -g none'; do
		# shellcheck disable=SC2086 # words
		same_report "$1" $options
	done
}

g++ -O2 -g -fno-omit-frame-pointer -pthread -o "$dir/c++" "$lib/linked.cc" && recorded c++ -g -e cpu-clock -- "$dir/c++" && compared c++
/usr/bin/rustc -O -g -C force-frame-pointers=yes -o "$dir/rust" "$lib/linked.rs" && recorded rust -g -e cpu-clock -- "$dir/rust" && compared rust
go build -o "$dir/go" "$lib/linked.go" && recorded go -g -e cpu-clock -- "$dir/go" && compared go
if recorded java -g -e cpu-clock:u -- java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit -XX:+PreserveFramePointer \
	-XX:TieredStopAtLevel=1 "$lib/Jit.java" 100000; then
	pid=$(perf script -i "$dir/java.data" -F pid 2>/dev/null | sort | uniq -c | sort -n | awk 'END { print $2 }')
	maps=/tmp/perf-$pid.map
	compared java
fi
recorded kernel -g -e cpu-clock:k -- sh -c 'for i in 1 2 3 4 5 6 7 8; do ls -lR /usr/share/doc; done' && compared kernel
is "$tap_count" 60 "every program was recorded"
done_testing
