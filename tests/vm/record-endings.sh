#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=8 mem=768 timeout=900 default="5.10-*"
#
# How recordings end: a hang-up, a kill under load, a full disk, a process that exits, a command
# that a signal kills; and what an agent does while nothing happens, on eight CPUs and on two.
#
# shellcheck disable=SC2086,SC3045 # words are meant; the shell is busybox's

. ./lib/tap.sh
. ./lib/record.sh

# The output of perf, without its message about lost events.
complaints() { grep -vE 'lost|^Warning:$|^Check IO/CPU overload!$|^$' /tmp/warnings; }

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

event='-e kprobe:rt_play_number'
data=/tmp/endings.data
samples() { perf_events -i "$1" 2>/tmp/warnings | grep -c 'rt_play_number: '; }

# --- nothing happens ---------------------------------------------------------------

# The side-band would report commands that the test itself runs.
mkfifo /tmp/never
exec 3<>/tmp/never
pause() { read -r -t "$1" _ <&3; }
look() {
	while read -r key value _; do
		[ "$key" != syscw: ] || writes=$value
	done </proc/$agent/io
	while read -r key value _; do
		[ "$key" != voluntary_ctxt_switches: ] || sleeps=$value
	done </proc/$agent/status
}

idle() { # CPUS
	ringtail record $event -a -o $data 2>/tmp/said &
	agent=$!
	until_armed rt_play_number
	pause 3
	# The side-band reports workers that the kernel starts: one quiet window of three is enough.
	for _ in 1 2 3; do
		look
		before=$writes slept=$sleeps
		pause 4
		look
		[ "$writes" != "$before" ] || break
	done
	is "$writes" "$before" "idle on $1 CPUs: nothing is written"
	ok "and the agent wakes twice a second at most ($((sleeps - slept)) times in 4 s)" test $((sleeps - slept)) -le 8
	kill -INT $agent
	wait $agent
	is $? 0 "it ends when told so"
}

idle 8
if [ -w /sys/devices/system/cpu/cpu2/online ]; then
	for cpu in 2 3 4 5 6 7; do echo 0 >/sys/devices/system/cpu/cpu$cpu/online; done
	idle 2
else
	skip "idle on 2 CPUs" "this kernel cannot take CPUs offline"
fi

# --- a hang-up ---------------------------------------------------------------------

ringtail record $event -a -o $data 2>/tmp/said &
agent=$!
until_armed rt_play_number
usleep 200000
echo number 100 >/proc/rt_play
kill -HUP $agent
wait $agent
is $? 0 "SIGHUP: status"
is "$(samples $data)" 100 "the file is whole"
is "$(cat /tmp/warnings)" "" "perf has nothing to say"
ringtail script -i $data 2>&1 >/dev/null | grep -v '^$' >/tmp/warnings
is "$(cat /tmp/warnings)" "" "nor has script"

# --- a kill under load -------------------------------------------------------------

for _ in 1 2 3; do
	while :; do echo number 500; done >/proc/rt_play &
	loads="$loads $!"
done
ringtail record $event -a -o $data 2>/tmp/said &
agent=$!
# The size of the records in the file's header: a checkpoint sets it.
checkpointed() { od -A n -t u8 -j 48 -N 8 $data 2>/dev/null || echo 0; }
looks=0
until [ "$(checkpointed)" -gt 2500000 ] || [ $looks -gt 1500 ]; do
	usleep 20000
	looks=$((looks + 1))
done
safe=$(checkpointed)
kill -9 $agent
wait $agent 2>/dev/null
kill $loads
wait $loads 2>/dev/null
size=$(stat -c %s $data)
count=$(samples $data)
is "$(complaints)" "" "kill -9 under load: perf opens it without a warning"
# A sample has 80 bytes.
ok "a checkpoint is made under load ($safe of $size bytes)" test "$safe" -gt 2500000
ok "and what it holds is readable ($count samples)" test $((count * 80)) -gt $((safe * 9 / 10))
ringtail script -i $data 2>/tmp/warnings >/tmp/lines
# The number of records that waited in the rings at the last checkpoint: 0 if the agent kept up.
like "$(cat /tmp/warnings)" "$data: not closed cleanly, (at least [1-9][0-9]* events missing|the last events may be missing)" "script says so"
is "$(grep -c rt_play_number /tmp/lines)" "$count" "and prints the others"
like "$(ringtail evlist -i $data 2>&1)" "not closed cleanly" "so does evlist"
like "$(ringtail buildid-list -i $data 2>&1)" "not closed cleanly" "and buildid-list"

# A pipe that ends early.
{ ringtail record $event -o - -- sh -c 'echo number 50 >/proc/rt_play; usleep 500000; kill -9 $PPID' 2>/dev/null | cat >/tmp/pipe; }
like "$(ringtail script -i /tmp/pipe 2>&1 >/tmp/lines)" 'not closed cleanly' "a pipe that was cut off: script says so"
is "$(grep -c rt_play_number /tmp/lines)" 50 "and has what was sent"

# --- a full disk, and a limit of the size of files -----------------------------------

# no_room WHAT FILE: record 20000 events into FILE, for which there is no room.
no_room() {
	what=$1 file=$2 why=$3
	said=$(ringtail record $event --sync -o "$file" -- sh -c 'echo number 20000 >/proc/rt_play; sleep 2' 2>&1)
	is $? 1 "$what: status"
	missing=$(printf '%s\n' "$said" | sed -n "s|.* \([0-9]*\) of \([0-9]*\) events are not in $file.*|\1|p")
	all=$(printf '%s\n' "$said" | sed -n "s|.* \([0-9]*\) of \([0-9]*\) events are not in $file.*|\2|p")
	# It ends as soon as there is no room, perhaps before the last call.
	ok "it says how many there were ($all)" test "$all" -gt "$missing" -a "$all" -le 20000 || diag "$said"
	count=$(samples "$file")
	is "$(complaints)" "" "perf opens it without a warning"
	is $((missing + count)) "$all" "missing + in the file = all"
	ok "what was written is kept ($count)" test "$count" -gt 4000
	like "$(ringtail script -i "$file" 2>&1 >/dev/null)" "${file##*/}: $missing events are not in the file" "script says so"
	like "$said" "$why" "and record said why"
}

mkdir -p /tmp/small
mount -t tmpfs -o size=1m none /tmp/small
no_room "a full disk" /tmp/small/full.data 'No space left on device'
umount /tmp/small

# The signal that tells of the limit ends a program that does nothing about it.
limit=$(ulimit -f)
ulimit -S -f 900
no_room "a limit of the size of files" /tmp/limited.data 'File too large'
ringtail record -q -e sched:sched_switch -o $data -- sh -c 'cat /dev/zero >/tmp/zeros' 2>/dev/null
is $? 153 "the limit ends the command as it would without ringtail"
ulimit -S -f "$limit"
rm -f /tmp/zeros /tmp/limited.data

# Room for two recordings and a half: the third one needs what it replaces, which another thread frees meanwhile.
ringtail record $event -o /tmp/whole.data -- sh -c 'echo number 20000 >/proc/rt_play' 2>/dev/null
mount -t tmpfs -o size=$(($(stat -c %s /tmp/whole.data) * 5 / 2)) none /tmp/small
for turn in first second third fourth; do
	said=$(ringtail record $event -o /tmp/small/perf.data -- sh -c 'echo number 20000 >/proc/rt_play' 2>&1)
	is "$? $(samples /tmp/small/perf.data)" "0 20000" "a small disk, the $turn recording" || diag "$said"
done
is "$(ls /tmp/small)" "perf.data
perf.data.old" "which holds two"
umount /tmp/small
rm /tmp/whole.data

# --- the end of a process, of a command --------------------------------------------

sleep 1 &
said=$(timeout 60 ringtail record -e sched:sched_switch -p $! -o $data 2>&1)
is $? 0 "-p: it ends when the process does" || diag "$said"
said=$(ringtail record -e sched:sched_switch -o $data -- sh -c 'kill -9 $$' 2>/dev/null)
is $? 137 "a command that a signal ends: 128 and the signal's number"
ringtail record $event -q -o - -- sh -c 'echo number 5 >/proc/rt_play; echo spoken' 2>/tmp/said >/tmp/pipe
is $? 0 "-o - with a command: status"
is "$(grep -c spoken /tmp/said)" 1 "what the command prints goes to standard error"
is "$(perf_events -i - </tmp/pipe 2>/tmp/warnings | grep -c rt_play_number)" 5 "the stream is whole"
is "$(cat /tmp/warnings)" "" "and perf has nothing to say"

ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
