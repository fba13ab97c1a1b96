#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=4 mem=1024 timeout=600 default="newest-*"
#
# In a storm on four CPUs: files of a limited size stay within it, and a recorder that is killed has lost no more
# than half a second.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit
event=kprobe:rt_play_number
dir=/tmp/lag
data=$dir/perf.data
mkdir $dir

storm() {
	loads=
	for cpu in 1 2 4 8; do
		taskset $cpu sh -c 'while [ ! -e /tmp/stop ]; do echo number 1000; done >/proc/rt_play' & loads="$loads $!"
	done
}
calm() {
	: >/tmp/stop
	# shellcheck disable=SC2086 # words are meant
	wait $loads
	rm /tmp/stop
}
saw() { until [ "$(grep -c "$1" /tmp/said)" -ge "$2" ] || [ ! -d /proc/$agent ]; do usleep 20000; done; }

# --- files of a limited size -----------------------------------------------------------

limits() { # WHAT OPTION…
	what=$1
	shift
	ringtail record "$@" --switch-output=1M -a -e $event -o $data 2>/tmp/said &
	agent=$!
	until_armed rt_play_number
	storm
	saw 'is complete' 6
	kill -INT $agent
	wait $agent
	is $? 0 "$what: status" || diag "$(cat /tmp/said)"
	calm
	# The size, a sub-buffer of each CPU and a megabyte.
	most=$((1048576 + 4 * 32768 + 1048576))
	largest=$(stat -c %s $dir/* | sort -n | tail -n 1)
	ok "$what: the largest of $(ls $dir | wc -l) files has $largest bytes of at most $most" test "$largest" -le $most
	count=0
	for f in "$dir"/*; do count=$((count + $(ringtail script -i "$f" -F event 2>/dev/null | grep -c rt_play_number))); done
	is $count "$(sed -n 's/.*: \([0-9]*\) events written.*/\1/p' /tmp/said)" "$what: they hold every event that was written, once"
	rm -f $dir/*
}
limits "several threads"
limits "one thread" --threads=1
limits "sub-buffers as they are" --raw

# How old the file may be, in hundredths of a second.  A host that runs other guests beside this one delays the
# recorder, too, for as long as it likes: only the long run, which has the host for itself, demands the time.
oldest=50
[ "$RT_LEVEL" = all ] || oldest=100000

# --- a kill ------------------------------------------------------------------------------

# What a kill leaves is what the header of the file covers: the longest time between two changes of it.
hundredths() { sed 's/^\([0-9]*\)\.\([0-9][0-9]\).*/\1\2/' </proc/uptime; }
checkpoint() { od -A n -t u8 -j 48 -N 8 $data 2>/dev/null; }
watch_checkpoints() { # prints the longest time, and how many there were
	end=$(($(hundredths) + 400)) last=0 longest=0 count=0 before=
	while [ "$(hundredths)" -lt $end ]; do
		size=$(checkpoint)
		[ "$size" != "$before" ] || continue
		before=$size now=$(hundredths) count=$((count + 1))
		[ $last = 0 ] || [ $((now - last)) -le $longest ] || longest=$((now - last))
		last=$now
	done
	echo $longest $count
}
begin() { # OPTION…
	ringtail record "$@" -a -e $event -o $data 2>/tmp/said &
	agent=$!
	until_armed rt_play_number
	storm
	sleep 1
}
end_by_kill() {
	kill -9 $agent
	wait $agent 2>/dev/null
	calm
}
# A host that is busy with other things delays all of it: the best of three counts.
for _ in 1 2 3; do
	begin
	# It looks often enough, whatever the storm does.
	renice -n -20 $$ >/dev/null
	# shellcheck disable=SC2046 # two words
	set -- $(watch_checkpoints)
	renice -n 0 $$ >/dev/null
	end_by_kill
	readable=$(ringtail script -i $data -F event 2>/dev/null | grep -c rt_play_number)
	rm -f $dir/*
	[ "$1" -gt $oldest ] || [ "$2" -lt 2 ] || break
done
ok "kill -9 at any time: $2 checkpoints in 4 seconds, and at most $1 hundredths of a second between two" test "$1" -le $oldest -a "$2" -ge 2
ok "what the last one covers can be read ($readable events)" test "$readable" -gt 0

# Of sub-buffers as they are, also what lies behind the last checkpoint is read.
for _ in 1 2 3; do
	begin --raw
	end=$(hundredths)
	end_by_kill
	last=$(ringtail script -i $data -F time 2>/dev/null | tail -n 1 | tr -d ' :' | sed 's/^\([0-9]*\)\.\([0-9][0-9]\).*/\1\2/')
	rm -f $dir/*
	[ $((end - last)) -gt $oldest ] || break
done
ok "sub-buffers as they are, kill -9: the last event in the file is $((end - last)) hundredths of a second old" test $((end - last)) -le $oldest

ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
