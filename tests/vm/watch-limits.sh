#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" smp=2 timeout=600 default="newest-*"
#
# Refused watchpoints and the reasons, all registers at once and one too many, a storm of hits, CPUs
# that go offline and online, and agents that are killed: nothing stays armed.

# shellcheck disable=SC2154 # of watch.sh
. ./lib/tap.sh
. ./lib/watch.sh

said='' # by watch
insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_watch_play.ko || exit
word=$(address word)
other=$(address other)

at() { echo "mem:$(printf '0x%x' $((other + 8 * $1)))/8:w"; }

watch 'others 10' -e "$(at 0)" -e "$(at 1)" -e "$(at 2),$(at 3)"
is "$(hits)" 40 "four watches, eight bytes apart"
is "$(distinct 3)" 8 "of eight bytes each"
is "$(column 2 | tr ' ' '\n' | sort | uniq -c | awk '{ print $1 }' | tr '\n' ' ')" "10 10 10 10 " "ten hits each"
is "$(news | cut -d ' ' -f 1-8)" "0x1 0x1 0x1 0x1 0x2 0x2 0x2 0x2" "in the order of the writes"

refused() { # REGEX OPTION…
	want=$1
	shift
	said=$(ringtail record "$@" -o /tmp/refused.data -a --duration 1s 2>&1)
	like "$?" '^[12]$' "$*: refused"
	like "$said" "$want" "with the reason"
	is "$(printf '%s\n' "$said" | wc -l)" 1 "in one line"
}
refused 'no debug register is free: of 4, this session has 4' \
	-e "$(at 0)" -e "$(at 1)" -e "$(at 2)" -e "$(at 3)" -e "$(at 4)"
# A recording inside a recording: the outer one is armed when the inner one begins.
said=$(ringtail record -e "$(at 0)" -e "$(at 1)" -e "$(at 2)" -e "$(at 3)" -a -q -o /tmp/held.data -- \
	ringtail record -e "$(at 4)" -a --duration 100ms -o /tmp/refused.data 2>&1)
like "$said" 'no debug register is free: of 4, this session has 0, other ringtail sessions 4 \(process [0-9]+\)' \
	"another session that has them is named"

case $(uname -m) in
x86_64)
	refused 'x86 cannot watch for reads alone; use rw' -e "mem:$word:r"
	refused '1, 2, 4 or 8 bytes' -e "mem:$word/3:w"
	refused 'only at a multiple of 8' -e "mem:$word+4/8:w"
	;;
*)
	watch 'read 10;plain 10' -e "mem:$word/8:r"
	is "$(hits) $(distinct 4)" "10 r" "reads alone"
	watch 'clear;offsets' -e "mem:$word+3/3:w"
	is "$(news rt_watch_byte)" "0x4 0x504 0x60504" "any run of bytes within eight"
	refused 'between two multiples of 8' -e "mem:$word+4/8:w"
	;;
esac
refused "there is no symbol 'no_such_variable'" -e mem:no_such_variable:w
refused 'a user address belongs to a process' -e mem:0x10000/4:w
base=$(sed -n 's/^ringtail .* \(0x[0-9a-f]*\).*/\1/p' /proc/modules)
refused 'ringtail itself writes to this memory' -e "mem:$base/4:w"

# perf also prints how much was lost.
expected='Processed 100000 samples and lost [0-9.]+%!'
watch 'plain 100000' -e "mem:$word/8:w" --watch-rate 1000
# shellcheck disable=SC2034 # for watch
expected=''
like "$said" 'lost, a watch hit too often \(see --watch-rate\): [0-9]+' "a storm is throttled"
written=$(echo "$said" | sed -n 's/.*: \([0-9]*\) events written.*/\1/p')
lost=$(echo "$said" | sed -n 's/.*too often.*: \([0-9]*\).*/\1/p')
is $((written + lost)) 100000 "and what was left out is counted exactly"
is "$(hits)" "$written" "the others are there"

# A storm of hits on one CPU for a while; everything else continues.
seconds=3
[ "$RT_LEVEL" = default ] || seconds=10
storm() {
	end=$(($(date +%s) + seconds))
	while [ "$(date +%s)" -lt $end ]; do poke 'plain 20000'; done
	: >/tmp/calm
}
rm -f /tmp/calm
ringtail record -e "mem:$word/8:w" -a -m 32M --watch-rate 1000 -o /tmp/storm.data 2>/tmp/said &
agent=$!
until grep -q 'recording to' /tmp/said; do usleep 10000; done
storm &
answers=0
while [ ! -e /tmp/calm ]; do
	[ "$(echo answer | cat)" = answer ] && answers=$((answers + 1))
done
kill -INT $agent
wait
ok "the machine answers in a storm of $seconds seconds ($answers times)" [ "$answers" -ge "$seconds" ]
said=$(cat /tmp/said)
like "$said" 'too often.*: [0-9]{3,}' "the storm beyond the rate is left out, and counted"

# Without RT_SOURCE_WATCH_EXECUTION (bit 13) an arm64 kernel does not step over an access of its own that a BPF
# program watches: it traps for ever.
if [ "$(uname -m)" != aarch64 ] || module_offers 13; then
	said=$(bpf-beside "$other" ringtail record -e "mem:$word/8:w" -a -o $data -- \
		sh -c 'echo plain 500 >/proc/rt_watch_play; echo others 20 >/proc/rt_watch_play; echo plain 500 >/proc/rt_watch_play' 2>&1)
	look
	is "$(hits)" 1000 "beside BPF programs: every hit is there"
	unlike "$said" 'not delivered' "the kernel kept none"
	# If an interrupt arrives during a step, arm64 kernels report the store to them again.
	case $(uname -m) in aarch64) theirs='2[0-9]' ;; *) theirs=20 ;; esac
	# Programs at breakpoints came with 4.13, those for every system call with 4.17; distributions have
	# taken both to older kernels: what the kernel accepts without ringtail is what counts.
	calls='[1-9][0-9]*'
	alone=$(bpf-beside "$other" true 2>&1)
	case $alone in none' '*) calls=none ;; esac
	case $alone in *' none') theirs=none ;; esac
	like "$said" "^$calls $theirs\$" "and they have had theirs"

	watch 'plain 5' -e 'mem:rt_watch_plain:x'
	is "$(sed -n 's/.* watch:rt_watch_plain: .* rw=\([^ ]*\).*/\1/p' /tmp/lines | uniq -c | tr -s ' ')" " 5 x" \
		"execution, five times"
else
	skip "beside BPF programs: every hit is there" "this kernel does not step over what a BPF program watches"
	skip "execution, five times" "this kernel does not step over its own instructions"
fi

if [ -w /sys/devices/system/cpu/cpu1/online ]; then
	echo 0 >/sys/devices/system/cpu/cpu1/online
	poke clear
	watch_command 'echo 1 >/sys/devices/system/cpu/cpu1/online; echo cpu 1 20 >/proc/rt_watch_play
		echo 0 >/sys/devices/system/cpu/cpu1/online; echo cpu 0 20 >/proc/rt_watch_play
		echo 1 >/sys/devices/system/cpu/cpu1/online; echo cpu 1 20 >/proc/rt_watch_play' -e "mem:$word/8:w" -a
	is "$(news)" "$(hexes 1 20) $(hexes 1 20) $(hexes 1 20)" "a CPU that comes later is watched, and may go and come"
else
	skip "CPUs may go and come" "this kernel cannot take CPUs offline"
fi

i=0
while [ $i -lt 10 ]; do
	ringtail record -e "$(at 0)" -e "$(at 1)" -e "$(at 2)" -e "$(at 3)" -a -q -o /tmp/killed.data &
	agent=$!
	# Kill it at moments from before it opens the device until long after.
	usleep $((i * 37 % 20 * 40000))
	kill -9 $agent
	wait $agent 2>/dev/null
	i=$((i + 1))
done
poke 'others 100'
is "$(cut -d ' ' -f 1,3 /proc/modules | grep ringtail)" "ringtail 0" "after ten kills nothing holds the module"
watch 'others 5' -e "$(at 0)" -e "$(at 1)" -e "$(at 2)" -e "$(at 3)"
is "$(hits)" 20 "and all registers are free"

ok "the watched module may go while it is watched" \
	ringtail record -e "mem:$word/8:w" -a -q -o /tmp/unload.data -- rmmod rt_watch_play
ok "ringtail unloads" rmmod ringtail
done_testing
