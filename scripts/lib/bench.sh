# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# bench.sh - what benchmarks share: how they say their results, and a recording.

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

# tracepoints FILE EVENTS: a recording of so many events: one that perf makes here, its records
# repeated with later times.
tracepoints() {
	[ ! -e "$1" ] || return 0
	mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing
	perf record -q -m 4M -o "$1.few" -e raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch,sched:sched_wakeup \
		-a -- sh -c 'ls -lR /usr/share/doc >/dev/null' || true
	perl tests/bench/repeat.pl "$1.few" "$1.new" "$2"
	mv "$1.new" "$1"
	rm -f "$1.few"
}
