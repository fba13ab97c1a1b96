# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# perf.sh - perf, the oracle, in a hurry.

# Where the kernel's own tracing is.
# shellcheck disable=SC2034 # the tests use it
TRACING=/sys/kernel/tracing
[ -d $TRACING/events ] || TRACING=/sys/kernel/debug/tracing

# To read the names of the kernel's functions takes perf seconds in an emulated machine.
without_names=--kallsyms=/dev/null

# perf_events OPTION…: perf script for who looks at events and their fields.
perf_events() { perf script $without_names "$@"; }

# Whether perf can record here.  Newer ones need an event that came with 3.12.  On later kernels it must.
perf_works() { release_since 3 12 || perf stat -x, -e dummy true 2>&1 | grep -q '^[0-9]'; }
perf_skip() { skip "$1" "today's perf does not work on this kernel, which has no dummy event"; } # WHAT

# perf_reads FILE OPTION…: what perf prints of a recording made with these options, in /tmp/lines,
# with names if there are stacks; its warnings in /tmp/warnings.
perf_reads() {
	recording=$1
	shift
	case " $* " in
	*" -g "*) perf script -i "$recording" ;;
	*) perf_events -i "$recording" ;;
	esac >/tmp/lines 2>/tmp/warnings
}
