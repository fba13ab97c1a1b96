#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" smp=4 timeout=600 append="panic_on_warn=1" default="@(5.10-*|6.1-*)"
#
# Every access is recorded once, and the watched code computes the same as without a watch: loops of
# exclusives, stores that do not change the value, changes that no watch sees, adjacent watches,
# four CPUs at once.  Afterwards the kernel's own watches still work on every CPU.

# shellcheck disable=SC2154 # of watch.sh
. ./lib/tap.sh
. ./lib/watch.sh

said='' # by watch
insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_watch_play.ko || exit
word=$(address word)
machine=$(uname -m)
echo 0 >/proc/sys/kernel/randomize_va_space

# watch_beside PLACE CALLS ACCESS: watch the word while another tracer has a probe at PLACE.
watch_beside() {
	poke clear
	echo "p:beside $1" >$TRACING/kprobe_events
	echo 1 >$TRACING/events/kprobes/beside/enable
	watch "$2" -e "mem:$word/8:$3"
	probed=$(sed -n 's/^ *beside  *\([0-9]*\) .*/\1/p' $TRACING/kprobe_profile)
	echo 0 >$TRACING/events/kprobes/beside/enable
	echo >$TRACING/kprobe_events
	ok "the probe of another tracer at $1 was hit ($probed times)" [ "$probed" -ge 50 ]
}

# --- loops of exclusives, in the kernel

if [ "$machine" = aarch64 ]; then
	for access in w rw; do
		poke clear
		watch 'counted 500' -e "mem:$word/8:$access"
		is "$(hits)" 500 "$access: 500 additions by exclusives"
		is "$(news)" "$(hexes 1 500)" "their values"
		is "$(address value)" 500 "what the code has computed"
		is "$(address attempts)" 500 "each took one attempt, as without a watch"
		is "$(distinct 7)" - "nothing is uncertain"
	done
	poke clear
	watch 'chosen 100;doubled 100' -e "mem:$word/8:w"
	is "$(address value)" 200 "a choice in the loop, and a pair: computed as ever"
	is "$(news)" "$(hexes 1 200)" "and seen"
	for how in strange locked; do
		poke clear
		watch "$how 1000;plain 5" -e "mem:$word/8:w"
		is "$(address value)" 5 "$how: a loop that is not understood goes on"
		ok "$how: at least one of its accesses is there" grep -q '^rt_watch_strange ' /tmp/hits
		like "$said" 'not watched, so that accesses could complete: .* was off for at most [0-9.]+ ms on CPU' "and it is said for how long the watch was off"
	done
	usleep 200000
	poke clear
	watch 'plain 20' -e "mem:$word/8:w"
	is "$(news)" "$(hexes 1 20)" "afterwards the register is there"
fi

# --- the same in user space

if [ "$machine" = aarch64 ]; then
	value=$(watched-exclusive | head -n 1)
	user() { # ACTIONS
		# shellcheck disable=SC2086 # words
		said=$(ringtail record -e "mem:$value/8:w" -o $data -- watched-exclusive $1 2>&1 >/tmp/out)
		is $? 0 "watched-exclusive $1: recorded" || diag "$said"
		look
	}
	# Each interrupt between load and store makes the store fail, with or without a watch.
	interrupts() { sed -n 's/^intr \([0-9]*\) .*/\1/p' /proc/stat; }
	before=$(interrupts)
	user 'counted 200'
	after=$(interrupts)
	read -r result attempts <<-END
		$(tail -n 1 /tmp/out)
	END
	is "$result" 200 "a user's loop: its result"
	ok "and its attempts ($attempts), with $((after - before)) interrupts" \
		[ "$attempts" -ge 200 ] && [ "$attempts" -le $((200 + after - before)) ]
	is "$(news)" "$(hexes 1 200)" "every access once"
	user 'threads 200'
	is "$(tail -n 1 /tmp/out | cut -d ' ' -f 1)" 800 "in four threads at once"
	is "$(hits)" 800 "every access once"
	is "$(column 6 | tr ' ' '\n' | sort | uniq -d | wc -l)" 0 "no value twice"
	user 'strange 1000 doubled 1000'
	is "$(tail -n 1 /tmp/out | cut -d ' ' -f 1)" 2000 "loops that are not understood go on"
	user 'refilled 50'
	is "$(hits)" 50 "50 stores, the variable being refilled by read(2) in between"
	user 'idle 20000'
	is "$(hits)" 20000 "20000 stores of what is there already"
fi

# --- stores and loads that do not change the value, changes that no watch sees

many=20000
watch 'clear;unseen 50' -e "mem:$word/8:w"
is "$(news rt_watch_plain)" "0x0 $(yes 0x1 | head -n 50 | tr '\n' ' ' | sed 's/ $//')" "50 stores, and changes through another mapping in between"
if [ "$machine" = aarch64 ]; then
	is "$(olds rt_watch_plain | tr ' ' '\n' | sed 1d | sort -u)" 0x0 "the values before are what was there"
	like "$said" 'changes of it that do not trap: at least (49|50)' "and the changes are counted"
fi
watch "idle $many" -e "mem:$word/8:w" -m 1024
is "$(hits)" $many "$many stores of what is there already"
watch "poll $many" -e "mem:$word/8:rw" -m 1024
is "$(awk '$1 == "rt_watch_poll"' /tmp/hits | wc -l)" $many "$many loads in a loop that changes no register"

# --- adjacent watches.  If one access hits several, QEMU reports only one on x86.

if [ "$machine" = aarch64 ]; then
	before=$(printf '0x%x' $((word - 8)))
	poke clear
	watch 'wide 50' -e "mem:$word/8:w" -e "mem:$before/8:w" -e "mem:$word+8/4:w" -e "mem:$before/4:w"
	is "$(awk -v a="$word" '$3 == 8 && $8 == "mem_" substr(a, 3)' /tmp/hits | wc -l)" 150 "wide stores: the word"
	is "$(awk -v a="$before" '$3 == 8 && $8 == "mem_" substr(a, 3)' /tmp/hits | wc -l)" 150 "the word before it"
	is "$(awk '$3 == 4' /tmp/hits | wc -l)" 200 "half of that, and half of the one behind"
	is "$(awk -v a="$word" '$3 == 8 && $8 == "mem_" substr(a, 3) && $1 == "rt_watch_pair" { printf "%s%s", s, $6; s = " " }' /tmp/hits)" \
		"$(hexes 1 50)" "with the word's values"
	poke clear
	watch 'plain 20' -e "mem:$word/8:w" -e "mem:$word/8:rw" -e "mem:$word/1:w"
	is "$(hits)" 60 "three watches of the same bytes have 20 hits each"
fi

# --- a probed instruction.  arm64 executes a copy of it, and nothing traps.

if [ "$machine" = aarch64 ]; then
	watch 'clear' -e "mem:$word/8:w"
	at=$(sed -n '1s/ .*//p' /tmp/raw)
	watch 'plain 50' -e "mem:$word/8:w" -e "kprobe:0x$at"
	is "$(news)" "$(hexes 1 50)" "a probe of ours on the storing instruction: every store"
	is "$(olds)" "$(hexes 0 49)" "with the values before"
	is "$(cut -d ' ' -f 1 /tmp/raw | sort -u)" "$at" "at the address of the instruction"
	is "$(grep -c 'probe:abs_' /tmp/lines)" 50 "and every hit of the probe"
	poke clear
	ringtail record -q -a -e "kprobe:0x$at" -e "kprobe:0x$at" -o /tmp/beside.data &
	beside=$!
	until [ "$(grep -c "^[0-9a-f]*$at" /sys/kernel/debug/kprobes/list)" = 2 ]; do usleep 50000; done
	watch 'plain 50' -e "mem:$word/8:w" -e "kprobe:0x$at"
	is "$(news)" "$(hexes 1 50)" "three probes there: every store once"
	kill -INT $beside
	wait $beside
	# More probes and fewer, one recording after the other, on one CPU: the first store must not be left to a probe that is gone.
	taskset -p 1 $$ >/dev/null
	for probes in 1 3 1 2 1; do
		poke clear
		set --
		while [ $# -lt $((2 * probes)) ]; do set -- "$@" -e "kprobe:0x$at"; done
		watch 'plain 20' -e "mem:$word/8:w" "$@"
		is "$(news)" "$(hexes 1 20)" "$probes probes, after another number of them: every store once"
	done
	taskset -p f $$ >/dev/null
	# The same on a CPU that is away while the probes are removed.
	cpu1=/sys/devices/system/cpu/cpu1/online
	for probes in 3 2; do
		set --
		while [ $# -lt $((2 * probes)) ]; do set -- "$@" -e "kprobe:0x$at"; done
		ringtail record -q -a -e "mem:$word/8:w" "$@" -o $data -- \
			sh -c "echo cpu 1 20 >/proc/rt_watch_play; echo 0 >$cpu1"
		echo 1 >$cpu1
		poke clear
		watch 'cpu 1 20' -a -e "mem:$word/8:w" -e "kprobe:0x$at"
		is "$(news)" "$(hexes 1 20)" "CPU 1 was away when $probes probes went: every store once"
	done
	# The kernel does not notify us of other tracers' probes.
	watch_beside "0x$at" 'widths;plain 50;widths' w
	# The kernel may hide the stores.  Before 5.12 it steps through a copy of the instruction, where they trap.
	if [ "$(hits)" -gt 8 ]; then
		is "$(hits)" 58 "under the probe of another tracer every access once"
		is "$(news | cut -d ' ' -f 5-54)" "$(hexes 1 50)" "and every store"
	else
		is "$(hits)" 8 "under the probe of another tracer stores are hidden"
		like "$said" 'changes of it that do not trap: at least 1' "and the change is counted"
	fi
	# Before 5.3 a probe that is hit in the handler enables debug exceptions: the handler's own access must not trap.
	if echo 'p:tried memcpy' 2>/dev/null >$TRACING/kprobe_events; then
		watch_beside memcpy 'plain 50' rw
		is "$(news)" "$(hexes 1 50)" "with a probe in a function that the handler calls every store once"
	else
		skip "a probe in a function that the handler calls" "this kernel refuses one at memcpy()"
	fi
fi

# --- four CPUs at once: the values form a chain

poke clear
watch 'all 500' -a -e "mem:$word/8:w" -m 1024
is "$(address value)" 2000 "four CPUs, 500 additions each"
is "$(hits)" 2000 "every access once"
if [ "$machine" = aarch64 ]; then
	is "$(column 7 | tr ' ' '\n' | sort -u)" - "nothing is uncertain"
	is "$(column 6 | tr ' ' '\n' | sort -u | wc -l)" 2000 "no new value twice"
	is "$(column 5 | tr ' ' '\n' | sort -u | wc -l)" 2000 "no old value twice"
fi

# --- the kernel's own watches, on every CPU

for cpu in 0 1 2 3; do
	if ! perf_works; then
		perf_skip "perf counts on CPU $cpu"
		continue
	fi
	counted=$(perf stat -x , -C $cpu -e "mem:$word/8:w" -- sh -c "echo cpu $cpu 100 >/proc/rt_watch_play" 2>&1 |
		sed -n 's/^\([0-9]*\),.*mem:.*/\1/p')
	# If an interrupt arrives before the step, an arm64 kernel counts the store again.
	like "$counted" '^1[0-9][0-9]$' "perf counts on CPU $cpu ($counted of 100)"
done
said=$(perf stat -x , -a -e "mem:$word/8:w" -o /tmp/counts -- ringtail record -a -q -e "mem:$word/8:w" -o $data -- \
	sh -c 'echo plain 300 >/proc/rt_watch_play' 2>&1)
look
# If an access hits several watches, an emulated x86 reports only one of them, usually ours.
if [ "$machine" = x86_64 ] && [ "$(hits)" = 0 ] && grep -q '^300,' /tmp/counts; then
	skip "beside perf at the same address: every hit" "the emulated CPU reported perf's watch alone"
else
	is "$(hits)" 300 "beside perf at the same address: every hit"
fi
counted=$(sed -n 's/^\([0-9]*\),.*mem:.*/\1/p' /tmp/counts)
# If an access hits two watches, QEMU reports only one on x86.
if [ "$(uname -m)" = aarch64 ]; then
	ok "perf has as many ($counted)" [ "$counted" -ge 300 ]
fi

like "$(ringtail doctor 2>&1)" 'watchpoints.*tried on 4 CPUs' "doctor tries watchpoints on every CPU"

ok "rt_watch_play unloads" rmmod rt_watch_play
ok "ringtail unloads" rmmod ringtail
done_testing
