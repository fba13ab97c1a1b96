#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" smp=2 timeout=600
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

watch 'plain 1000' -e "mem:$word/8:w"
is "$(hits)" 1000 "1000 writes are 1000 hits"
is "$(news)" "$(hexes 1 1000)" "the new values, in order"
is "$(olds)" "$(hexes 0 999)" "the old values are the new ones before"
is "$(distinct 4)" w "all are writes"
is "$(distinct 2) $(distinct 3)" "$word 8" "of these bytes"
is "$(distinct 7)" - "nothing is uncertain or unknown"
is "$(distinct 1)" rt_watch_plain "the function that wrote"
like "$said" ' 1000 events written, 0 filtered out, 0 lost' "the closing line has exact numbers"
unlike "$said" 'not delivered' "the kernel kept none"
ip=$(sed -n 's/.* watch:[^ ]* (\([0-9a-f]*\)) .*/\1/p' /tmp/lines | sort -u)
is "$(echo "$ip" | wc -l)" 1 "all from one instruction"
watch 'plain 10' -e "kprobe:0x$ip"
is "$(grep -c 'probe:abs_' /tmp/lines)" 10 "at whose first byte a probe can be put"

all='clear;widths;clear;offsets;clear;swap 100;atomic 100;compare 100;clear;pair 100;clear;vector 100;clear;turns 100;clear;string 100;copy ABCDEFGH;clear;interrupt 100'
watch "$all" -e "mem:$word/8:w"
is "$(news rt_watch_width_1) $(news rt_watch_width_2) $(news rt_watch_width_4) $(news rt_watch_width_8)" \
	"0x11 0x2222 0x33333333 0x4444444444444444" "every width"
is "$(olds rt_watch_width_1) $(olds rt_watch_width_2) $(olds rt_watch_width_4) $(olds rt_watch_width_8)" \
	"0x0 0x11 0x2222 0x33333333" "and what was there"
is "$(news rt_watch_byte)" \
	"0x1 0x201 0x30201 0x4030201 0x504030201 0x60504030201 0x7060504030201 0x807060504030201" "every byte"
is "$(news rt_watch_swap)" "$(hexes 1 100)" "exchanges"
is "$(news rt_watch_atomic)" "$(hexes 101 200)" "atomic additions"
is "$(olds rt_watch_atomic)" "$(hexes 100 199)" "from what was there"
is "$(news rt_watch_compare)" "$(hexes 201 300)" "compare and exchange"
is "$(news rt_watch_pair)" "$(hexes 1 100)" "stores of a pair"
is "$(news rt_watch_vector)" "$(hexes 1 100)" "stores of a SIMD register"
is "$(news rt_watch_turns)" "$(hexes 1 100)" "stores of two SIMD registers in turns"
# Copying is inlined, or a function of the kernel's own.
is "$(awk '$1 == "?" || $1 == "rt_watch_string" || $1 == "rt_watch_copy" { print $6 }' /tmp/hits | tr '\n' ' ')" \
	"$(hexes 1 100) 0x4847464544434241 " "block copies, and one from user memory"
is "$(news rt_watch_plain | sed 's/.*0x0 //')" "$(hexes 1 100)" "writes in interrupts"
# The kernel's own copy may be code that is decoded from no known start.
is "$(awk '$1 != "?" { print $7 }' /tmp/hits | sort -u)" - "nothing is uncertain or unknown"

# One at a time: of several watches that one access hits, QEMU reports one on x86.
watch 'same 100' -e "mem:$word/8:w"
is "$(awk '$1 == "rt_watch_plain" && $5 == $6' /tmp/hits | wc -l)" 100 "writes of what is there already"
watch 'clear;offsets' -e "mem:$word+4/2:w"
is "$(awk '$1 == "rt_watch_byte" { print $3, $6 }' /tmp/hits | tr '\n' ' ')" "2 0x5 2 0x605 " \
	"a watch of two bytes sees only these"
watch 'read 50' -e "mem:$word/4:rw"
is "$(awk '$1 == "rt_watch_read" { print $3, $5, $6 }' /tmp/hits | sort | uniq -c | tr -s ' ')" \
	" 50 4 0x4030201 0x4030201" "reads, of a watch for both"

poke clear
watch 'plain 100' -e "mem:$word/8:w" --filter '(new == 5 || old >= 98) && rw == w && caller == rt_watch_plain'
is "$(news)" "0x5 0x63 0x64" "a filter on values, access and writer"
like "$said" ' 3 events written, 97 filtered out, 0 lost' "the others are counted"

many=20000
[ "$RT_LEVEL" = default ] || many=100000
watch "plain $many" -e "mem:$word/8:w" -m 1024
is "$(hits)" $many "$many writes in a row"
column 6 | tr ' ' '\n' >/tmp/got
hexes 1 $many | tr ' ' '\n' >/tmp/want
ok "all of them, in order" cmp /tmp/got /tmp/want

ok "rt_watch_play unloads" rmmod rt_watch_play
ok "ringtail unloads" rmmod ringtail
done_testing
