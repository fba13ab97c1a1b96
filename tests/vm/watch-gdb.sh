#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=300 program=gdb-minimal:usr/bin/gdb default="@(newest-x86_64|6.1-arm64)"
#
# gdb and ringtail watch a process at the same time, the same variable or two: both see every write,
# and gdb works as before when ringtail is gone.

# shellcheck disable=SC2154 # of watch.sh
. ./lib/tap.sh
. ./lib/module.sh
. ./lib/watch.sh

insmod /rt/ringtail.ko || exit
# Without address randomisation the variables have the same addresses in every run, as under gdb.
echo 0 >/proc/sys/kernel/randomize_va_space
read -r _ value other _ <<END
$(watched)
END

# debug ADDRESS [ringtail record OPTION…]: gdb prints each new value; those of the process itself are in $stops.
debug() {
	cat >/tmp/commands <<END
set pagination off
set debuginfod enabled off
starti
watch *(long *)$1
commands
silent
printf "saw %ld\n", *(long *)$1
continue
end
continue
END
	shift
	"$@" gdb -nx -batch -x /tmp/commands --args watched >/tmp/gdb 2>&1
	stops=$(sed -n 's/^saw \([0-9]*\)$/\1/p' /tmp/gdb | awk '$1 <= 20' | tr '\n' ' ')
}

# Ours of that run: every write of the process, its thread and its child.
recorded() { # WHAT
	look
	is "$(news | tr ' ' '\n' | awk 'length($1) <= 4 && $1 != "0x0"' | sort | uniq -c | awk '{ print $1, $2 }' | sort)" "$ours" \
		"$1: ringtail records every write, once"
}

# beside WATCHED-BY-GDB WATCHED-BY-US WHAT
beside() {
	debug "$1" ringtail record -e "mem:$2/8:w" -o $data --
	is "$stops" "$all" "$3: gdb stops at every write" || diag "$(tail -n 12 /tmp/gdb)"
	recorded "$3"
}

# The same with a debugger that takes only the register that it needs.
beside_other() {
	ringtail record -e "mem:$2/8:w" -o $data -- debugger "$1" watched >/tmp/said 2>/tmp/errors
	is "$(tail -n 1 /tmp/said)" "$alone" "$3: another debugger stops as often as alone" || diag "$(cat /tmp/errors)"
	recorded "$3"
}

all=$(seq 1 20 | tr '\n' ' ')
ours=$(for i in $(seq 1 30); do printf '1 0x%x\n' "$i"; done | sort)

debug "$value"
like "$(cat /tmp/gdb)" 'Hardware watchpoint' "gdb has a debug register"
is "$stops" "$all" "gdb alone stops at every write" || diag "$(cat /tmp/gdb)"

case $(uname -m) in
aarch64)
	# gdb sets all four registers, also those that it does not use.
	debug "$value" perf stat -e "mem:$other/8:w" --
	if [ "$stops" = "$all" ]; then
		beside "$other" "$value" "two variables"
		beside "$value" "$other" "the other two"
		beside "$value" "$value" "one variable"
	else
		like "$(cat /tmp/gdb)" 'error setting hardware debug registers' "gdb cannot set a watch beside perf's"
		debug "$value" ringtail record -e "mem:$other/8:w" -o $data --
		like "$(cat /tmp/gdb)" 'error setting hardware debug registers' "nor beside ours, and says so"
	fi
	alone=$(debugger "$value" watched | tail -n 1)
	ok "another debugger stops, alone ($alone)" [ "$alone" -ge 10 ]
	beside_other "$other" "$value" "another debugger, two variables"
	beside_other "$value" "$other" "another debugger, the other two"
	# Here an access traps again after the stop, and both traps are recorded (docs/watchpoints.md).
	ringtail record -e "mem:$value/8:w" -o $data -- debugger "$value" watched >/tmp/said 2>/tmp/errors
	is "$(tail -n 1 /tmp/said)" "$alone" "another debugger, one variable: it stops as often as alone"
	look
	is "$(news | tr ' ' '\n' | awk 'length($1) <= 4 && $1 != "0x0"' | sort -u | sed 's/^/1 /' | sort)" "$ours" \
		"another debugger, one variable: ringtail records every write"
	;;
*)
	beside "$other" "$value" "two variables"
	beside "$value" "$other" "the other two"
	# QEMU's emulated x86 reports one of several debug registers that an access hits.
	debug "$value" ringtail record -e "mem:$value/8:w" -o $data --
	like "$(cat /tmp/gdb)" 'exited normally|exited with' "one variable: the process ends as ever"
	skip "one variable: both see every write" "an emulated x86 reports one debug register of several"
	;;
esac

ok "ringtail unloads" rmmod ringtail
debug "$value"
is "$stops" "$all" "gdb works as before"
done_testing
