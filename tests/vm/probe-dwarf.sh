#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=600 default="6.1-*"
#
# Probes by name with the debug information of a module: lines, locals, inlined functions, every kind of
# value, exact, through ringtail script and perf script.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

ko=/rt/modules/rt_probed.ko
words() { tr '\n' ' '; }

insmod /rt/ringtail.ko || exit
insmod $ko || exit

# play N EVENT…: record while rt_probed plays.  Both programs print the same.
play() {
	rounds=$1
	shift
	record "$@" -- sh -c "echo go $rounds >/proc/rt_probed"
	is $? 0 "$*" || diag "$said"
	# perf aligns the names of several events.
	sed -n 's/.*: *\(probe:[^:]*: .*\)/\1/p' /tmp/lines >/tmp/perfs
	ringtail script -F event,trace -i /results/perf.data | sed 's/^ *//' >/tmp/ours
	is "$(diff /tmp/ours /tmp/perfs | head -n 4)" "" "perf script prints the same, $(wc -l </tmp/ours) lines"
}
field() { sed -n "s/.* $1=\([^ ]*\).*/\1/p" /tmp/perfs | words; }

# --- parameters and members at the entry ----------------------------------------------

play 4 -e "probe:$ko:rt_probed_take n small flag text item->text item->name item->low item->high item->color \
item->anonymous item->numbers second=item->numbers[1] item->pair item->next->pair.second"
is "$(field n)" "0 1 2 3 " "an int"
is "$(field small)" "200 200 200 200 " "a u8"
is "$(field flag)" "0 1 0 1 " "a bool"
is "$(field text)" '"even" "odd" "even" "odd" ' "const char *"
like "$(cat /tmp/ours)" ' text_1="some text" name="abcd" low=5 high=-6 ' "text, char[] without a NUL, bitfields"
is "$(field color)" "RT_PROBED_GREEN RT_PROBED_NONE RT_PROBED_GREEN RT_PROBED_NONE " "an enum by name, also a negative one"
like "$(head -n 1 /tmp/ours)" 'anonymous=48879 numbers=\{1,-2,3,-4\} second=-2 pair_first=100000 pair_second=-7 second_1=-12$' \
	"a union, an array, an element, a struct member by member, through a pointer"

play 2 -e "probe:$ko:rt_probed_take item->port item->address item->cookie item->label item->bytes item->flags"
like "$(head -n 1 /tmp/ours)" ' port=39435 address=167772418 cookie=\{1234605616436508552,9\} label="shop" bytes=\{1,2,254,255\} flags=0x8002' \
	"big-endian numbers by their types, text and flags by the names of the members"
play 2 -e "probe:$ko:rt_probed_take item->port item->cookie" --filter 'port == 39435 && cookie[0] & 0x8'
is "$(wc -l </tmp/ours)" 2 "a filter compares the number that is shown"
play 2 -e "probe:$ko:rt_probed_take item->port" --filter 'port == 2970'
is "$(wc -l </tmp/ours)" 0 "and not the bytes in the machine's order"
refused "'port' is big-endian, and the kernel compares such a number only by == != &" -e "probe:$ko:rt_probed_take item->port" --filter 'port > 1024'

# --- returns, globals, lines, inlined functions -----------------------------------------

play 4 -e "probe:$ko:rt_probed_take%return \$retval"
is "$(field retval)" "7 -1 23 -3 " "return values, signed"
play 2 -e "probe:$ko:rt_probed_find%return \$retval->pair.first"
is "$(field first)" "0 11 " "a member of what a function returns"
like "$(head -n 1 /tmp/ours)" 'fault: first' "through a bad pointer: a fault"
# Kernels without CONFIG_KALLSYMS_ALL do not list variables.
if grep -q ' rt_probed_global' /proc/kallsyms; then
	play 1 -e "probe:$ko:rt_probed_find @rt_probed_global.pair.second"
	is "$(field second)" "-12 " "a member of a global variable"
fi
play 3 -e "probe:$ko:rt_probed_take:7 sum n"
is "$(field sum)" "0 2 4 " "a local variable at a line"
is "$(field n)" "0 1 2 " "a parameter at that line"
line=$(ringtail probe -n "$ko:rt_probed_take:7" | sed -n 's/^  kprobe://p')
like "$line" 'rt_probed_take\+0x[0-9a-f]+$' "the line is an offset in the function: $line"
play 3 -e "probe:$ko:rt_probed_inlined input"
is "$(field input)" "0 4 8 " "a parameter of an inlined function"
is "$(sed -n 's/^\(probe:[^:]*\):.*/\1/p' /tmp/ours | sort -u)" "probe:rt_probed_inlined" "under its own name"

# --- a module without types, as all are before 5.11 ------------------------------------------

if [ ! -e /sys/kernel/btf/rt_probed ]; then
	play 4 -e 'probe:rt_probed_take%return $retval'
	is "$(field retval)" "0x7 0xffffffffffffffff 0x17 0xfffffffffffffffd " "a return value is a register"
	like "$said" 'recorded as the whole register in hexadecimal.*[$]retval:s64' "and how to give it a type"
	play 4 -e 'probe:rt_probed_take%return $retval:s64'
	is "$(field arg1)" "7 -1 23 -3 " "with a type"
	refused 'm PATH.ko.*[$]retval:s64' -e 'probe:rt_probed_find%return $retval->pair.first'
fi

# --- all copies of a function ---------------------------------------------------------------

play 7 -e "probe:$ko:rt_probed_copied n"
is "$(sed -n 's/.* n=//p' /tmp/perfs | words)" "0 1 2 3 4 5 6 " "a function with a copy of its own and an inlined one: every call"
like "$said" "1 of 3 left out: probe:rt_probed_copied_[12] .the kernel forbids probes there" "but in a function that the kernel protects"
is "$(sed -n 's/^\(probe:[^:]*\):.*/\1/p' /tmp/ours | sort | uniq -c | sed 's/_[12]$/_N/' | tr -s ' \n' ' ')" " 4 probe:rt_probed_copied 3 probe:rt_probed_copied_N " \
	"each copy under a name of its own"
play 7 -e "probe:$ko:rt_probed_copied%return \$retval"
is "$(field retval)" "1 3 5 7 " "returns of the copy that returns"
like "$said" 'rt_probed_copied: 1 of 3 places probed; %return and registers are not available at 2 inlined ones' "and what is not probed"

ringtail probe "kept=$ko:rt_probed_copied" >/dev/null
play 7 -e probe:kept
is "$(sed -n 's/^\(probe:[^:]*\):.*/\1/p' /tmp/ours | sort | uniq -c | sed 's/_[12]$/_N/' | tr -s ' \n' ' ')" " 4 probe:kept 3 probe:kept_N " "also of a kept definition"
ringtail probe -d kept >/dev/null

# --- what is shown and refused -----------------------------------------------------------

like "$(ringtail probe -V "$ko:rt_probed_take:7")" 'long int sum +[%+-]' "-V: where a local variable is"
like "$(ringtail probe -L "$ko:rt_probed_take")" '^<rt_probed_take@.*rt_probed\.c:[0-9]+>' "-L: the source file"
refused 'has no code; the nearest lines? with code (is|are) ' -e "probe:$ko:rt_probed_take:1000"
refused "there is no variable 'summ'.*did you mean 'sum'" -e "probe:$ko:rt_probed_take:7 summ"
refused 'inlined code does not return; probe the return of rt_probed_take' -e "probe:$ko:rt_probed_inlined%return \$retval"

rmmod rt_probed
is "$(cat /sys/kernel/debug/kprobes/list)" "" "no probe is left"
ok "ringtail unloads" rmmod ringtail
done_testing
