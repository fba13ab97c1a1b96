#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="*" smp=4 timeout=900 append="panic_on_warn=1" default="@(6.1-*|newest-*)"
#
# What a watch records is what the watched code logs: address, old and new value of each write, while
# other CPUs add, wait for the word or take a lock.  If a watch was off, its closing lines and its file
# say for how long and where; if nothing was missed, they say nothing of the kind.
#
# QEMU's processors do not sleep in WFE, so this proves nothing about how hardware wakes from it.

# shellcheck disable=SC2154 # of watch.sh
. ./lib/tap.sh
. ./lib/watch.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_watch_truth.ko || exit
machine=$(uname -m)
cpus=$(nproc)

truth() { sed -n "s/^$1 //p" /proc/rt_watch_truth; }
word=$(truth word)
lock=$(truth lock)

# record WHAT-TO-PLAY OPTION…: the closing lines in $said, the writes in /tmp/seen as the module logs them.
record() {
	play=$1
	shift
	said=$(ringtail record -a -m 16M "$@" -o $data -- sh -c "echo $play >/proc/rt_watch_truth" 2>&1)
	is $? 0 "$play: recorded" || diag "$said"
	perf_events -i $data 2>/tmp/warnings | sed -n 's/.* addr=\([^ ]*\) len=[^ ]* rw=\([^ ]*\) old=\([^ ]*\) new=\([^ ]*\) flags=.*/\2 \1 \3 \4/p' >/tmp/all
	sed -n 's/^w //p' /tmp/all | sort >/tmp/seen
	sed -n '/^0x/p' /proc/rt_watch_truth | sort >/tmp/truth
}

silent() { # WHAT
	unlike "$said" 'not delivered|not watched|taken for the same' "$1: nothing is said to be missing" || diag "$said"
}

equal() { # WHAT
	ok "$1: every write as it was made" cmp /tmp/truth /tmp/seen ||
		diff /tmp/truth /tmp/seen | head -n 10 | sed 's/^/# /'
}

many=100000
[ "$RT_LEVEL" != default ] || many=20000

additions() { # CPUS
	for round in 1 2 3; do
		record 'add 2000' -e "mem:$word/8:w"
		is "$(wc -l </tmp/truth)" $((2000 * $1)) "round $round: the log has all additions of $1 CPUs"
		if [ "$machine" = aarch64 ]; then
			equal "$1 CPUs add"
		else
			is "$(wc -l </tmp/seen)" $((2000 * $1)) "$1 CPUs add: every write"
		fi
		silent "$1 CPUs add"
	done
}
additions "$cpus"

# One CPU waits for the word in a loop of loads, half of which are exclusive on arm64.
for how in wait read; do
	for access in w rw; do
		record "$how $many" -e "mem:$word/8:$access" --watch-rate 100000
		# The first store is that of 0 over an unknown value.
		is "$(awk '$2 == "0x0" { n++ } END { print n + 0 }' /tmp/truth)" 1 "$how $many, $access: the log begins"
		cut -d ' ' -f 3 /tmp/truth | sort >/tmp/want
		cut -d ' ' -f 3 /tmp/seen | sort >/tmp/got
		ok "$how $many, $access: every write was recorded" cmp /tmp/want /tmp/got ||
			diag "$(wc -l </tmp/got) of $(wc -l </tmp/want); $said"
		unlike "$said" 'not delivered|not watched' "$how $many, $access: nothing is said to be missing" || diag "$said"
		[ $access = w ] || ok "$how $many, $access: reads, too" grep -q '^r' /tmp/all
	done
done

# A contended lock.
echo 'lock 300' >/proc/rt_watch_truth
alone=$(truth ns)
echo 'hold 300' >/proc/rt_watch_truth
contended=$(truth ns)
for access in w rw; do
	record 'lock 300' -e "mem:$lock/4:$access"
	is "$(truth locked)" $((300 * cpus)) "lock, $access: every CPU had it 300 times"
	ok "lock, $access: each taking and each release is there ($(wc -l </tmp/seen) writes)" \
		[ "$(wc -l </tmp/seen)" -ge $((600 * cpus)) ]
	silent "lock, $access"
	diag "lock, $access: $(truth ns) ns, without a watch $alone ns, kept for 50 us each $contended ns"
done

# --- a watch that is off for a while

if [ "$machine" = aarch64 ]; then
	# An emulated CPU may be slow, so that the pause is over before the loop is complete: then there is another one.
	record 'blocked 1' -e "mem:$word/8:w"
	like "$said" '0 lost, others not watched;' "a loop that is not understood: the closing line does not say 0 lost alone"
	like "$said" "not watched, so that accesses could complete: watch:mem_${word#0x} was off for at most [0-9.]+ ms on CPU 1 \([0-9]+ times?\)\$" \
		"but how long the watch was off, and where" || diag "$said"
	off=$(echo "$said" | sed -n 's/.* at most \([0-9]*\)\..* ms on CPU 1 .*/\1/p')
	ok "which is not for long ($off ms)" [ "${off:-1000}" -lt 500 ]
	like "$(ringtail script -i $data 2>&1 >/dev/null)" "watch:mem_${word#0x} was not watched for at most [0-9.]+ ms on CPU 1 \([0-9]+ times?\)" \
		"script says it of the file"
	like "$(ringtail report -i $data --stdio 2>&1)" "# Not Watched: watch:mem_${word#0x} for at most [0-9.]+ ms on CPU 1 \([0-9]+ times?\)" "and report"
	is "$(perf_events -i $data 2>&1 >/dev/null)" "" "perf reads the file without a warning"
	ringtail record -a --raw -e "mem:$word/8:w" -o /tmp/raw.data -q -- sh -c 'echo blocked 1 >/proc/rt_watch_truth'
	ringtail data /tmp/raw.data -o /tmp/expanded.data >/dev/null 2>&1
	like "$(ringtail script -i /tmp/expanded.data 2>&1 >/dev/null)" 'was not watched for at most' "script says it of a raw recording, too"

	# A flight has it in memory, where a dump has it, too.
	ringtail flight start -q blocked -e "mem:$word/8:w"
	echo 'blocked 1' >/proc/rt_watch_truth
	said=$(ringtail flight snapshot blocked -o /tmp/flight.data 2>&1)
	like "$said" "not watched, so that accesses could complete: watch:mem_${word#0x} was off for at most [0-9.]+ ms on CPU 1 \([0-9]+ times?\)" \
		"a snapshot of a flight says it" || diag "$said"
	like "$(ringtail script -i /tmp/flight.data 2>&1 >/dev/null)" "watch:mem_${word#0x} was not watched for at most [0-9.]+ ms on CPU 1" \
		"and script of its file"
	ringtail flight stop -q blocked

	# The CPU goes on to spin with preemption disabled: the pause must end although no thread runs there.
	record 'block 2000' -e "mem:$word/8:rw"
	unlike "$said" 'on CPU 0' "only the CPU with the loop was not watched"
	off=$(echo "$said" | sed -n 's/.* at most \([0-9]*\)\..* ms on CPU 1 .*/\1/p')
	ok "and the pause has ended while it spun ($off ms)" [ "${off:-1000000}" -lt 500 ] || diag "$said"
	ok "it was watched again: its reads are there" grep -q '^r' /tmp/all
	cut -d ' ' -f 3 /tmp/seen | sort >/tmp/got
	cut -d ' ' -f 3 /tmp/truth | sort >/tmp/want
	is "$(awk 'FILENAME == "/tmp/got" { got[$1]; next } !($1 in got)' /tmp/got /tmp/want | wc -l)" 0 "every write of the other CPU was recorded"

	# Killed in the middle of pauses: nothing of them is left.
	for i in 1 2 3; do
		echo 'blocked 1000' >/proc/rt_watch_truth &
		player=$!
		ringtail record -a -q -e "mem:$word/8:rw" -o /tmp/killed.data 2>/dev/null &
		agent=$!
		usleep $((i * 150000))
		kill -9 $agent
		wait $agent 2>/dev/null
		wait $player
	done
	is "$(cut -d ' ' -f 1,3 /proc/modules | grep '^ringtail ')" "ringtail 0" "after three kills nothing holds the module"
fi

# --- one CPU

if [ -w /sys/devices/system/cpu/cpu3/online ]; then
	for cpu in 1 2 3; do echo 0 >/sys/devices/system/cpu/cpu$cpu/online; done
	additions 1
	for cpu in 1 2 3; do echo 1 >/sys/devices/system/cpu/cpu$cpu/online; done
	additions "$cpus"
else
	skip "one CPU" "this kernel cannot take CPUs offline"
fi

ok "rt_watch_truth unloads" rmmod rt_watch_truth
ok "ringtail unloads" rmmod ringtail
done_testing
