#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=600 level=all
#
# The uses of vm/record-scenarios by the names of variables instead of registers: what the kernel's BTF
# and a module's debug information know.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh
. ./lib/opens.sh

play=/rt/modules/rt_play.ko
probed=/rt/modules/rt_probed.ko
field() { sed -n "s/.* $1=\([^ ]*\).*/\1/p" /tmp/lines; }
words() { tr '\n' ' '; }

insmod /rt/ringtail.ko || exit
insmod $play || exit
insmod $probed || exit

# --- 1, 2: what programs send and open, if the kernel describes its types ----------------

if [ -e /sys/kernel/btf/vmlinux ]; then
	said=$(ringtail record -e 'probe:tcp_sendmsg size' -o /results/perf.data -- rt-send 2>&1 >/tmp/sent)
	perf_events -F tid,event,trace -i /results/perf.data >/tmp/lines 2>/dev/null
	while read -r pid sizes; do
		is "$(sed -n "s/^ *$pid .* size=\([0-9]*\).*/\1/p" /tmp/lines | words)" "$sizes " "the sizes that $pid sent, in order"
	done </tmp/sent
	like "$said" '24 events written, 0 filtered out, 0 lost' "and no more"
fi
# BTF of 5.10 leaves static functions out.
if [ -e /sys/kernel/btf/vmlinux ] && ! ringtail probe -n "$OPENS filename" 2>&1 | grep -q 'BTF does not describe'; then
	record -e "probe:$OPENS filename" -- rt-known /etc/passwd '/a b' - /nowhere
	is "$(field filename | tail -n 4 | words)" '"/etc/passwd" "/a "(fault)" "/nowhere" ' "paths in order, and a bad pointer"
	record -e "probe:$OPENS%return \$retval filename" -- rt-known /etc/passwd /nowhere
	like "$(tail -n 2 /tmp/lines | words)" 'retval=[3-9] filename="/etc/passwd" .*retval=-2 filename="/nowhere"' \
		"each path with what became of it"
fi

# --- 3: return values --------------------------------------------------------------------

record -e "probe:$play:rt_play_string%return \$retval" -- sh -c 'echo fault >/proc/rt_play; echo string hello >/proc/rt_play'
is "$(field retval | words)" "-14 5 " "return values, an errno with its sign"
record -e "probe:$play:rt_play_number%return \$retval a b" -- sh -c 'echo number 4 >/proc/rt_play'
is "$(field retval | words)" "0 -1 -2 -3 " "return values"
is "$(field a | words)$(field b | words)" "0 1 2 3 0 2 4 6 " "with the parameters of the same call"
# Ten calls inside each other, and a probe that can follow three.
record --instances 3 -e "probe:$play:rt_play_nested%return \$retval" -- sh -c 'echo nested 10 >/proc/rt_play'
like "$said" 'instances exhausted' "returns that were missed are counted" || diag "$said"

# --- 4: several places in one function ----------------------------------------------------

record -e "probe:$probed:rt_probed_take n" -e "probe:$probed:rt_probed_take:7 sum" -e "probe:$probed:rt_probed_take%return \$retval" \
	-- sh -c 'echo go 3 >/proc/rt_probed'
is "$(sed -n 's/.*probe:\(rt_probed_take[^:]*\): .*/\1/p' /tmp/lines | head -n 3 | words)" \
	"rt_probed_take rt_probed_take_L7 rt_probed_take__return " "the entry, a line and the return are kept apart"
is "$(field n | words)$(field sum | words)$(field retval | words)" "0 1 2 0 2 4 7 -1 23 " "each with its value"
case $(uname -m) in
x86_64) refused 'in the middle of an instruction; instructions begin at' -e "probe:rt_probed:rt_probed_take+1" ;;
aarch64) refused 'instructions begin at rt_probed_take\+0x0 and rt_probed_take\+0x4' -e "probe:rt_probed:rt_probed_take+2" ;;
esac

# --- 5: which branch was taken -------------------------------------------------------------

record -e "probe:third=$probed:rt_probed_branch:3 n" -e "probe:other=$probed:rt_probed_branch:5 n" -- sh -c 'echo go 7 >/proc/rt_probed'
is "$(sed -n 's/.*probe:third: .* n=//p' /tmp/lines | words)" "0 3 6 " "one branch"
is "$(sed -n 's/.*probe:other: .* n=//p' /tmp/lines | words)" "1 2 4 5 " "the other"

# --- 6: a module that is unloaded while it is recorded ---------------------------------------

record -e "probe:$play:rt_play_number a" -- sh -c "echo number 7 >/proc/rt_play; rmmod rt_play
	insmod $play; echo number 8 >/proc/rt_play"
is "$(field a | words)" "0 1 2 3 4 5 6 0 1 2 3 4 5 6 7 " "before it went, and after it came back"
record -e 'probe:rt_play:rt_play_number $comm' -- sh -c 'echo number 3 >/proc/rt_play'
is "$(grep -c 'probe:rt_play_number: ' /tmp/lines)" 3 "by the name of the module"

# --- 7: the code before, during and after a recording -----------------------------------------

code() { cat /proc/rt_play; }
code >/tmp/untouched
ok "a definition is kept" ringtail probe "mine:number=$play:rt_play_number a"
is "$(code)" "$(cat /tmp/untouched)" "a kept definition leaves the code alone"
record -e mine:number -- sh -c 'cat /proc/rt_play >/tmp/while'
unlike "$(cat /tmp/while)" "^$(cat /tmp/untouched)\$" "while recording the code has the probe in it"
is "$(code)" "$(cat /tmp/untouched)" "afterwards it is as it was"
ringtail record -q -e mine:number -o /tmp/killed.data -- sh -c 'cat /proc/rt_play >/tmp/while; kill -9 $PPID'
unlike "$(cat /tmp/while)" "^$(cat /tmp/untouched)\$" "once more"
is "$(code)" "$(cat /tmp/untouched)" "so it is after kill -9"

is "$(cat /sys/kernel/debug/kprobes/list)" "" "no probe is left"
ok "ringtail unloads" rmmod ringtail
done_testing
