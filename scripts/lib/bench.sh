# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# bench.sh - how a benchmark says its result.

# bench NAME VALUE OP LIMIT: OP is one of <= < >= > == .
bench() {
	awk -v name="$1" -v value="$2" -v op="$3" -v limit="$4" 'BEGIN {
		v = value + 0
		l = limit + 0
		ok = op == "<=" ? v <= l : op == "<" ? v < l : op == ">=" ? v >= l : op == ">" ? v > l : v == l
		printf "bench: %s %s goal %s %s %s\n", name, value, op, limit, ok ? "ok" : "short"
	}'
}

# ratio A B: A/B with three decimals.
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { if (b == 0) exit 1; printf "%.3f\n", a / b }'; }
