# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# perf.sh - perf, the oracle, in a hurry.

# To read the names of the kernel's functions takes perf seconds in an emulated machine.
without_names=--kallsyms=/dev/null

# perf_events OPTION…: perf script for who looks at events and their fields.
perf_events() { perf script $without_names "$@"; }

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
