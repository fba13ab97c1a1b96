#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="*" smp=2 timeout=300 default="newest-*"
#
# record --overwrite keeps the newest records: exact counts, a dump on SIGUSR2 while it runs, and
# sub-buffers taken and copied while writers continue.

. ./lib/tap.sh
. ./lib/record.sh

case $(uname -m) in
aarch64) a=%x0 ;;
x86_64) a=%di ;;
esac

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

number() { sed -n "s/.* a=\([0-9]*\).*/\1/p" /tmp/lines; }

# 4 sub-buffers of 32 KB on one CPU hold far fewer than 20,000 records of 32 bytes.
said=$(ringtail record --overwrite --subbuffers 4 -e "kprobe:rt_play_number a=$a:s64" -o /tmp/end.data -- \
	taskset 1 sh -c 'echo number 20000 >/proc/rt_play' 2>&1)
is $? 0 "record --overwrite: status" || diag "$said"
perf_events -i /tmp/end.data >/tmp/lines 2>/tmp/warnings
is "$(cat /tmp/warnings)" "" "perf reads it without a warning"
kept=$(number | wc -l)
like "$said" '20000 events written, 0 filtered out, 0 lost' "all were written"
over=$(printf '%s\n' "$said" | sed -n 's/.*overwritten: \([0-9]*\), the newest \([0-9]*\) .*/\1/p')
read=$(printf '%s\n' "$said" | sed -n 's/.*overwritten: \([0-9]*\), the newest \([0-9]*\) .*/\2/p')
is $((over + read)) 20000 "written = read + overwritten"
is "$kept" "$read" "the file has those read"
ok "not all of them, and more than half a ring ($kept)" [ "$kept" -gt 1500 -a "$kept" -lt 20000 ]
is "$(number | sed -n '$p')" 19999 "the last one is the newest"
is "$(number | tr '\n' ' ')" "$(seq $((20000 - kept)) 19999 | tr '\n' ' ')" "without a gap"

# A dump while it runs: the file has the records that existed then, each once.
ringtail record --overwrite --subbuffers 4 -a -e "kprobe:rt_play_number a=$a:s64" -o /tmp/usr2.data 2>/tmp/said &
agent=$!
until_armed rt_play_number
usleep 300000
taskset 1 sh -c 'echo number 500 >/proc/rt_play'
kill -USR2 $agent
# Overwrite the first 500 only after they are dumped.
size=0
until [ "$(perf_events -i /tmp/usr2.data 2>/dev/null | grep -c rt_play_number)" -ge 500 ] || [ $size = 100 ]; do
	usleep 100000
	size=$((size + 1))
done
taskset 1 sh -c 'echo number 20000 >/proc/rt_play'
kill -INT $agent
wait $agent
is $? 0 "after SIGUSR2 it goes on, and ends well"
perf_events -i /tmp/usr2.data >/tmp/lines 2>/tmp/warnings
is "$(cat /tmp/warnings)" "" "perf reads that without a warning"
is "$(number | head -n 500 | tr '\n' ' ')" "$(seq 0 499 | tr '\n' ' ')" "the dump has what the ring held then"
is "$(number | sed -n '$p')" 19999 "the end has the newest"
over=$(sed -n 's/.*overwritten: \([0-9]*\), the newest \([0-9]*\) .*/\1/p' /tmp/said)
is $((over + $(number | wc -l))) 20500 "written = read + overwritten, dump included"

# The calls themselves, while writers run.
overwrite-check
is $? 0 "taking and copying while the writers go on"

ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
