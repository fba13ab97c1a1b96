#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# no-memory - six commands, each run many times with another allocation that fails: none dies, and none ends
# as if its output were complete.

set -u
cd "$(dirname "$0")/../.." || exit 1
command='report'
. tests/host/lib/command.sh
make -s SAN=1 build/san/torture/no_memory >&2 || exit 1
torture=$PWD/build/san/torture/no_memory
cd "$corpus" || exit 1
# The first 2,000 allocations; by default some of them, others in each run.
step=1
[ "${RT_LEVEL:-default}" != default ] || step=9
diag "from $((first = 1 + RANDOM % step)), each $step"

without() { # COMMAND ARGUMENT…
	"$torture" "$first" 2000 "$step" "$@" >"$dir/said" 2>&1
	is $? 0 "$1: $(tail -n 1 "$dir/said")" || diag "$(cat "$dir/said")"
}

without evlist -i group.data
without script -i stacks.data
without report --stdio -i stacks.data
without diff stacks.data zstd.data
without flamegraph --folded -i stacks.data
without report --html - -i trace.data

# The test itself: a program that goes on without memory is found.
"$torture" 1 1 1 evlist -i missing.data >"$dir/said" 2>&1
is $? 1 "a command that fails anyway is not tested"
done_testing
