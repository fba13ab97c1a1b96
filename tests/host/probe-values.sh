#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# check: level=all
#
# probe-values - variables at entries and random lines of Debian's kernel, translated here with its debug information
# by ringtail and by perf, recorded by both at once in a guest: the same values.

set -u
. "$(dirname "$0")/lib/debian.sh"
mkdir "$dir/home" "$dir/share"
diag "$(HOME=$dir/home tests/host/lib/probe_values.py "$PWD/build/ringtail" "$vmlinux" "$seed" "$dir/share")"
ok "there are places" test "$(wc -l <"$dir/share/ours")" -ge 80
scripts/vm run "$kernel" --smp 1 --timeout 900 --share "$dir/share" --results "$dir/results" -- sh /rt/tests/host/lib/probe-values-guest.sh >"$dir/said" 2>&1
status=$?
grep -E '^(not )?ok |^#' "$dir/said" | sed 's/^not ok/# not ok/; s/^ok/# ok/'
is $status 0 "the guest"
is "$(grep -c '^not ok' "$dir/said")" 0 "every point of the guest"
ok "there are points" test "$(grep -c '^ok' "$dir/said")" -ge 4
tests/host/lib/probe_values_compare.py "$dir/share" "$dir/results" 60 >"$dir/compared"
is $? 0 "at least 60 places are hit, and have the values of perf"
diag "$(cat "$dir/compared")"
[ $status = 0 ] || tail -n 20 "$dir/said" | sed 's/^/# /'
done_testing
