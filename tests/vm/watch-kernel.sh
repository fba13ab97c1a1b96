#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" smp=2 timeout=600 default="newest-*"
#
# Watchpoints on kernel memory, from the command line to perf's output: every kind of
# store, exact counts, order, old and new values, the function that wrote.

# shellcheck disable=SC2154 # of watch.sh
. ./lib/tap.sh
. ./lib/watch.sh

said='' # by watch
insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_watch_play.ko || exit
word=$(address word)
# x86 traps after a plain store, when the old value is gone: the record has the value seen last.
case $(uname -m) in x86_64) last=-old-last ;; *) last=- ;; esac

watch 'plain 1000' -e "mem:$word/8:w"
is "$(hits)" 1000 "1000 writes are 1000 hits"
is "$(news)" "$(hexes 1 1000)" "the new values, in order"
is "$(olds)" "$(hexes 0 999)" "the old values are the new ones before"
is "$(distinct 4)" w "all are writes"
is "$(distinct 2) $(distinct 3)" "$word 8" "of these bytes"
is "$(distinct 7)" "$last" "nothing is uncertain or unknown"
is "$(distinct 1)" rt_watch_plain "the function that wrote"
like "$said" ' 1000 events written, 0 filtered out, 0 lost' "the closing line has exact numbers"
unlike "$said" 'not delivered' "the kernel kept none"
ip=$(sed -n 's/.* watch:[^ ]* (\([0-9a-f]*\)) .*/\1/p' /tmp/lines | sort -u)
is "$(echo "$ip" | wc -l)" 1 "all from one instruction"
# Where the kernel's own interface cannot, ringtail need not.
if echo "p:rt_test 0x$ip" >>$TRACING/kprobe_events; then
	echo "-:rt_test" >>$TRACING/kprobe_events
	watch 'plain 10' -e "kprobe:0x$ip"
	is "$(grep -c 'probe:abs_' /tmp/lines)" 10 "at whose first byte a probe can be put"
else
	skip "at whose first byte a probe can be put" "this kernel refuses probes at instructions that address memory relative to %rip"
fi

# On arm64 a leaf function keeps its return address in a register.  On x86 the compiler may put the
# write before the function's frame is complete: a walk along frames misses the caller there.
if [ "$(uname -m)" = x86_64 ] && ! grep -qE '^CONFIG_(UNWINDER_ORC|ORC_UNWINDER)=y' "/boot/config-$(uname -r)"; then
	skip "the caller of a leaf function is in its stack" "this kernel follows frame pointers"
else
	watch 'called 5' -e "mem:$word/8:w" -g
	is "$(ringtail script -i $data -F ip,sym | awk 'NF == 0 { n = 0; next } ++n <= 2 { print $2 }' | sort | uniq -c | tr -s ' \n' ' ')" \
		" 5 rt_watch_caller 5 rt_watch_plain " "the caller of a leaf function is in its stack"
	watch 'called 5' -e "kprobe:0x$ip" -g
	is "$(ringtail script -i $data -F ip,sym | awk 'NF == 0 { n = 0; next } ++n == 2 { print $2 }' | sort | uniq -c | tr -s ' \n' ' ')" \
		" 5 rt_watch_caller " "and in that of a probe in its middle"
fi

# Before 5.3 atomic operations of arm64 are functions of the kernel, without a name for the hit.
atomics='atomic 100;compare 100;'
! grep -q ' __ll_sc_atomic' /proc/kallsyms || atomics=
all="clear;widths;clear;offsets;clear;swap 100;${atomics}clear;pair 100;clear;vector 100;clear;turns 100;clear;string 100;copy ABCDEFGH;clear;interrupt 100"
watch "$all" -e "mem:$word/8:w"
is "$(news rt_watch_width_1) $(news rt_watch_width_2) $(news rt_watch_width_4) $(news rt_watch_width_8)" \
	"0x11 0x2222 0x33333333 0x4444444444444444" "every width"
is "$(olds rt_watch_width_1) $(olds rt_watch_width_2) $(olds rt_watch_width_4) $(olds rt_watch_width_8)" \
	"0x0 0x11 0x2222 0x33333333" "and what was there"
is "$(news rt_watch_byte)" \
	"0x1 0x201 0x30201 0x4030201 0x504030201 0x60504030201 0x7060504030201 0x807060504030201" "every byte"
is "$(news rt_watch_swap)" "$(hexes 1 100)" "exchanges"
if [ -n "$atomics" ]; then
	is "$(news rt_watch_atomic)" "$(hexes 101 200)" "atomic additions"
	is "$(olds rt_watch_atomic)" "$(hexes 100 199)" "from what was there"
	is "$(news rt_watch_compare)" "$(hexes 201 300)" "compare and exchange"
else
	skip "atomic additions, compare and exchange" "on this kernel they are functions without a name for the hit"
fi
is "$(news rt_watch_pair)" "$(hexes 1 100)" "stores of a pair"
is "$(news rt_watch_vector)" "$(hexes 1 100)" "stores of a SIMD register"
is "$(news rt_watch_turns)" "$(hexes 1 100)" "stores of two SIMD registers in turns"
# The copy is inlined or a call of a kernel function.  Some kernels copy from user memory byte by byte.
bytewise='0x41 0x4241 0x434241 0x44434241 0x4544434241 0x464544434241 0x47464544434241'
is "$(awk '$1 == "?" || $1 == "rt_watch_string" || $1 == "rt_watch_copy" { print $6 }' /tmp/hits | tr '\n' ' ' | sed "s/ $bytewise / /")" \
	"$(hexes 1 100) 0x4847464544434241 " "block copies, and one from user memory"
is "$(news rt_watch_plain | sed 's/.*0x0 //')" "$(hexes 1 100)" "writes in interrupts"
# The kernel's copy function may be code without a known start for the decoder.
is "$(awk '$1 != "?" && $7 != "-old-last" { print $7 }' /tmp/hits | sort -u)" - "nothing is uncertain or unknown"
[ -z "$atomics" ] || is "$(distinct 7 rt_watch_atomic) $(distinct 7 rt_watch_swap) $(distinct 7 rt_watch_compare)" "- - -" \
	"of atomic operations the value before is certain"

# One watch at a time: if one access hits several, QEMU reports only one on x86.
watch 'same 100' -e "mem:$word/8:w"
is "$(awk '$1 == "rt_watch_plain" && $5 == $6' /tmp/hits | wc -l)" 100 "writes of what is there already"
case $(ringtail record -e "mem:$word+4/2:w" -o /tmp/try.data true 2>&1) in
*"must start at a multiple of 8"*)
	poke clear
	poke offsets
	skip "a watch of two bytes sees only these" "before 4.10 arm64 kernels watch from multiples of eight on"
	;;
*)
	watch 'clear;offsets' -e "mem:$word+4/2:w"
	is "$(awk '$1 == "rt_watch_byte" { print $3, $6 }' /tmp/hits | tr '\n' ' ')" "2 0x5 2 0x605 " \
		"a watch of two bytes sees only these"
	;;
esac
watch 'read 50' -e "mem:$word/4:rw"
is "$(awk '$1 == "rt_watch_read" { print $3, $5, $6 }' /tmp/hits | sort | uniq -c | tr -s ' ')" \
	" 50 4 0x4030201 0x4030201" "reads, of a watch for both"

poke clear
watch 'plain 100' -e "mem:$word/8:w" --filter '(new == 5 || old >= 98) && rw == w && caller == rt_watch_plain'
is "$(news)" "0x5 0x63 0x64" "a filter on values, access and writer"
like "$said" ' 3 events written, 97 filtered out, 0 lost' "the others are counted"

# The agent itself writes to the watched word whenever it writes records to the file.
ringtail record -e "mem:$word/8:w" -a -o - -- sh -c \
	's=$(cat /proc/rt_watch_sink); echo plain 20000 >/proc/rt_watch_play
	until [ "$(cat /proc/rt_watch_sink)" -gt "$s" ]; do usleep 10000; done' \
	2>/tmp/said >/proc/rt_watch_sink
like "$(cat /tmp/said)" ' 20000 events written, [1-9][0-9]* filtered out, 0 lost' \
	"the agent's own accesses are left out, and counted as filtered"

many=20000
[ "$RT_LEVEL" = default ] || many=100000
watch "plain $many" -e "mem:$word/8:w" -m 32M
is "$(hits)" $many "$many writes in a row"
column 6 | tr ' ' '\n' >/tmp/got
hexes 1 $many | tr ' ' '\n' >/tmp/want
ok "all of them, in order" cmp /tmp/got /tmp/want

# Variables by name.  Kernels without CONFIG_KALLSYMS_ALL list none, but debug files have them.
release=$(uname -r)
lists() { awk -v name="$1" '$3 == name { found = 1 } END { exit !found }' /proc/kallsyms; }
if ! lists rt_watch_area; then
	said=$(ringtail record -e mem:rt_watch_play:rt_watch_area:w -a --duration 1s -o /tmp/refused.data 2>&1)
	like "$said" "no symbol 'rt_watch_area' in /proc/kallsyms, and .*no file of the loaded module rt_watch_play" \
		"a module's variable: the file that is missing is named"
fi
mkdir -p "/lib/modules/$release/extra"
cp /rt/modules/rt_watch_play.ko "/lib/modules/$release/extra/"
poke clear
watch 'plain 10' -e 'mem:rt_watch_play:rt_watch_area+32/8:w'
is "$(news) $(distinct 2)" "$(hexes 1 10) $word" "a module's variable by its module and its name"
watch 'plain 10' -e 'mem:rt_watch_area+32/8:w'
is "$(news) $(distinct 2)" "$(hexes 1 10) $word" "and by its name alone"
if ! lists jiffies; then
	said=$(ringtail record -e mem:jiffies/8:w -a --duration 1s -o /tmp/refused.data 2>&1)
	like "$said" "no symbol 'jiffies' in /proc/kallsyms, and there is no vmlinux with symbols .*linux-image-$release-dbg" \
		"a variable of the kernel: what is missing is named"
	mkdir -p /usr/lib/debug/boot
	# Link it at another address than it runs at.
	start=$(awk '$3 == "_stext" { print "0x" $1 }' /proc/kallsyms)
	elf-symbols "/usr/lib/debug/boot/vmlinux-$release" /sys/kernel/notes _stext=0x10000 \
		jiffies="$(($(address jiffies) - start + 0x10000))"
fi
said=$(ringtail record -e mem:jiffies/8:w -a -o $data -- sleep 1 2>&1)
is $? 0 "jiffies is watched by its name" || diag "$said"
look
is "$(distinct 2)" "$(address jiffies)" "at its address"
ok "and it counts" [ "$(hits)" -ge 1 ]

ok "rt_watch_play unloads" rmmod rt_watch_play
ok "ringtail unloads" rmmod ringtail
done_testing
