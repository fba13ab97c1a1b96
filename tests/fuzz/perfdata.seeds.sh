#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# perfdata.seeds.sh DIRECTORY - small recordings of several kinds for the fuzzer to
# begin with, each with the byte in front that says how it is read.

set -eu
out=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests=$(cd "$(dirname "$0")/.." && pwd)

record() { # NAME OPTION…
	local name=$1
	shift
	perf record -q -B -o "$work/$name" "$@" -- true >/dev/null 2>&1 || return 0
	{ printf '\0' && cat "$work/$name"; } >"$out/$name"
}

record clock -e cpu-clock -c 1000000
record chain -e cpu-clock -c 1000000 -g
record dwarf -e cpu-clock -c 1000000 --call-graph dwarf,1024
record group -e '{cpu-clock,page-faults}:S'
record many -e cpu-clock,page-faults,context-switches -d --sample-cpu --phys-data -W
record packed -z -e cpu-clock -c 1000000
record wide -e cpu-clock -c 100000000 --switch-events --namespaces --all-cgroups
perf record -q -B -e cpu-clock -c 1000000 -o - -- true >"$work/pipe" 2>/dev/null || :
{ printf '\2' && cat "$work/pipe"; } >"$out/pipe"
python3 "$tests/host/lib/perfdata-swap.py" "$work/chain" "$work/swapped"
{ printf '\1' && cat "$work/swapped"; } >"$out/swapped"
# Tracepoints are not to be had everywhere: the unit test has a file with their formats.
"$tests/../build/san/unit/perfdata_tracing" "$out/tracing"
