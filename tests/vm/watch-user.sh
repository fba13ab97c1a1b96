#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="*" smp=2 timeout=600 default="@(5.10-*|6.1-*)"
#
# Watchpoints on the memory of a process, its threads and children; others are not affected.

# shellcheck disable=SC2154 # of watch.sh
. ./lib/tap.sh
. ./lib/watch.sh
. ./lib/sample.sh

insmod /rt/ringtail.ko || exit

# Without address randomisation the variable has the same address in every run.
echo 0 >/proc/sys/kernel/randomize_va_space
read -r _ value _ store <<END
$(watched)
END

# On arm64 a store by the kernel for a process is not an access of the process.
case $(uname -m) in
aarch64) stored='' number=30 ;;
*)
	stored=' 0x4847464544434241'
	perf record -q -B -e "mem:$value/8:w" -o /tmp/theirs.data -- watched >/dev/null 2>&1
	number=$(perf_events -i /tmp/theirs.data | wc -l)
	ok "perf sees every write" [ "$number" -ge 31 ]
	;;
esac

# The values written.  Of the kernel's writes only the last: before 4.8 it writes a zero first, so that
# the page is there, and some kernels write byte by byte.
written() {
	awk '/^ffff/ { last = " " $6; next } { printf "%s%s", s, $6; s = " " } END { printf "%s", last }' /tmp/raw
}

# Some old kernels cannot call a task before it runs: what it writes first is missed, and record says that
# tasks had no debug register for a while.
late=$(ringtail doctor 2>&1 | grep -o 'new tasks are watched only after they began to run')
followed() { # WHAT LAST: the process writes 1 to 10, its thread and its child the others up to LAST
	all="$(hexes 1 "$2")$stored" seen=$(written)
	if [ -z "$late" ] || [ "$seen" = "$all" ]; then
		is "$seen" "$all" "$1"
		return
	fi
	is "$(echo " $seen " | tr ' ' '\n' | grep -vxF "$(echo "$all" | tr ' ' '\n')" | tr -d '\n')" "" "$1: nothing else ($late)"
	like "$seen" "^$(hexes 1 10)( |$)" "$1: what it writes itself"
	like "$said" 'tasks or CPUs without a debug register, for a while or at all: at least [1-9]' "$1: the rest is said to be missing"
}

said=$(ringtail record -e "mem:$value/8:w" -o $data -- watched 2>&1 >/dev/null)
is $? 0 "a command is watched" || diag "$said"
look
followed "itself, its thread, its child, and a system call" 30
[ "$late" ] && same=10 || same=20
is "$(olds | cut -d ' ' -f 2-$same)" "$(hexes 1 $((same - 1)))" "the values before"
is "$(awk '{ print $1 }' /tmp/lines | sort -u)" watched "nobody else"
unlike "$(grep -v "^ffff" /tmp/raw)" ip-after "where each was made is known"
[ "$late" ] || like "$said" " $number events written(, [0-9]+ filtered out)?, 0 lost" "exact numbers"
is "$(awk '!/^ffff/ { print "0x" $1 }' /tmp/raw | sort -u)" "$store" "all by the storing instruction"

writers() { stacks "$1" | grep 'write_value$' | sort -u; }
ringtail record -q -g -e "mem:$value/8:w" -o $data -- watched >/dev/null
perf record -q -B -g -e "mem:$value/8:w" -o /tmp/theirs.data -- watched >/dev/null 2>&1
like "$(writers $data)" '.;write_value$' "the user's stack of a write"
is "$(writers $data)" "$(writers /tmp/theirs.data)" "is that of perf"

said=$(ringtail record -i -e "mem:$value/8:w" -o $data -- watched 2>&1 >/dev/null)
look
followed "without the children" 20

# A running process.  It continues when the fifo is opened, and has ended when it has no memory.
mkfifo /tmp/go
watched /tmp/go >/tmp/out &
while [ ! -s /tmp/out ]; do usleep 10000; done
read -r pid value other _ </tmp/out
said=$(ringtail record -p "$pid" -e "mem:$value/8:w" -o $data -- \
	sh -c ': >/tmp/go; while grep -q . "/proc/$0/maps"; do usleep 10000; done' "$pid" 2>&1)
is $? 0 "a process that runs already is watched" || diag "$said"
wait
look
followed "with its thread and its child" 30
is "$(awk '{ print $2 }' /tmp/raw | sort -u)" "$value" "at that address, not at $other"

if [ "$(uname -m)" = x86_64 ]; then
	read -r value stores <<-END
		$(watched-kinds)
	END
	ringtail record -q -e "mem:$value/8:w" -o $data -- watched-kinds >/dev/null
	look
	# Leave out the stores of the kernel when it creates the page.
	is "$(awk '!/^ffff/ { printf "%s0x%s", s, $1; s = " " }' /tmp/raw)" "$stores" "instructions of many forms and lengths are found"
fi

ok "ringtail unloads" rmmod ringtail

# The same without the lookup of functions that the kernel does not export.
insmod /rt/ringtail.ko lookup=0 || exit
read -r _ value _ <<END
$(watched)
END
if ringtail doctor 2>&1 | grep -q 'new tasks are watched only after they began to run'; then
	said=$(ringtail record -e "mem:$value/8:w" -o $data -- watched 2>&1 >/dev/null)
	like "$said" 'tasks or CPUs without a debug register, for a while or at all: at least [1-9]' "late watches are counted"
	look
	like "$(written)" "^$(hexes 1 10)( |$)" "what the process writes itself is there"
else
	skip "late watches" "this kernel exports task_work_add()"
fi
ok "ringtail unloads again" rmmod ringtail
done_testing
