#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" arch=arm64 cpu=neoverse-n1 smp=4 timeout=600 append="panic_on_warn=1" level=all
#
# Atomic instructions (LSE), which the processor of the other tests does not have: exact values,
# also when four CPUs write at once, in the kernel and in a process.

# shellcheck disable=SC2154 # of watch.sh
. ./lib/tap.sh
. ./lib/watch.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_watch_play.ko || exit
word=$(address word)
like "$(cat /proc/cpuinfo)" '^Features.* atomics' "the processor has such operations"

# chain N: N records; the new value of each is the old value of the next.
chain() {
	is "$(hits)" "$1" "every access once"
	is "$(column 7 | tr ' ' '\n' | sort -u)" - "nothing is uncertain"
	column 5 | tr ' ' '\n' | sort >/tmp/olds
	hexes 0 $(($1 - 1)) | tr ' ' '\n' | sort >/tmp/want
	ok "every value before, once" cmp /tmp/want /tmp/olds
	column 6 | tr ' ' '\n' | sort >/tmp/news
	hexes 1 "$1" | tr ' ' '\n' | sort >/tmp/want
	ok "every value after, once" cmp /tmp/want /tmp/news
	is "$(awk '{ print $5, $6 }' /tmp/hits | while read -r old new; do echo $((new - old)); done | sort -u)" 1 \
		"from each to the next"
}

poke clear
watch 'atomic 200' -e "mem:$word/8:w"
chain 200
watch 'swap 100;compare 100' -e "mem:$word/8:w"
is "$(news rt_watch_swap) $(news rt_watch_compare)" "$(hexes 1 200)" "exchanges, and compare and exchange"
is "$(distinct 7)" - "nothing is uncertain"

poke clear
watch 'all 2000' -a -e "mem:$word/8:w" -m 2048
is "$(address value)" 8000 "four CPUs, 2000 additions each"
chain 8000

echo 0 >/proc/sys/kernel/randomize_va_space
value=$(watched-exclusive | head -n 1)
said=$(ringtail record -e "mem:$value/8:w" -o $data -- watched-exclusive added 500 2>&1 >/tmp/out)
is $? 0 "a process: recorded" || diag "$said"
look
is "$(tail -n 1 /tmp/out | cut -d ' ' -f 1)" 2000 "four threads, 500 additions each"
chain 2000

ok "rt_watch_play unloads" rmmod rt_watch_play
ok "ringtail unloads" rmmod ringtail
done_testing
