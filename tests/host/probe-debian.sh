#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# check: level=all
#
# probe-debian - random functions, inlined functions and lines of Debian's kernel with its debug information: the
# same addresses as `perf probe` finds.  Where perf has no answer, gdb, addr2line or
# llvm-dwarfdump says where a function or a line is.

set -u
. "$(dirname "$0")/lib/debian.sh"
points=${RT_POINTS:-300}
diag "RT_POINTS=$points"
HOME=$dir tests/host/lib/probe_debian.py "$PWD/build/ringtail" "$vmlinux" "$points" "$seed" >"$dir/out"
is $? 0 "$points points: the places of perf or gdb"
diag "$(cat "$dir/out")"
ok "most have an answer of perf's" awk -v n="$points" '/^class/ && $3 == "same" { same = $2 } END { exit !(same > n / 2) }' "$dir/out"
done_testing
