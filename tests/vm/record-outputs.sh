#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=900 default="5.10-*"
#
# Outputs of a recording: a refused command changes no file; and outputs that cannot take all of a
# recording: read-only, full, a pipe without a reader, a pipe whose reader stalls.
#
# shellcheck disable=SC2086 # words are meant

. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

event='-e kprobe:rt_play_number'
play='echo number 20 >/proc/rt_play'
mkdir /tmp/out
data=/tmp/out/perf.data
samples() { perf_events -i "$1" 2>/tmp/warnings | grep -c 'rt_play_number: '; }
one_line() { is "$(printf '%s\n' "$said" | grep -c .)" 1 "$1: in one line" || diag "$said"; }

# --- a refused command changes nothing -----------------------------------------------

ringtail record $event -o $data -- sh -c "$play" 2>/dev/null
ringtail record $event -o $data -- sh -c "$play" 2>/dev/null
is "$(cd /tmp/out && echo *)" "perf.data perf.data.old" "a second recording keeps the first"
inodes=$(cd /tmp/out && ls -i)

refused() { # WHAT REGEX OPTION… -- COMMAND…
	what=$1 want=$2
	shift 2
	said=$(ringtail record -o $data "$@" 2>&1)
	ok "$what: refused" test $? -ne 0
	like "$said" "$want" "$what: with the reason"
	one_line "$what"
	is "$(cd /tmp/out && ls -i)" "$inodes" "$what: both recordings are as they were, and nothing else is there"
	rm -f /tmp/out/none
	said=$(ringtail record -o /tmp/out/none "$@" 2>&1)
	is "$(cd /tmp/out && ls -i)" "$inodes" "$what: no file is left where none was"
}
refused "a command that does not exist" "cannot run 'no-such-command'" $event -- no-such-command
refused "a process that does not exist" '4000000' $event -p 4000000
# Any address will do, because not every kernel lists its variables.
address=$(awk '$3 == "vfs_read" { print "0x" $1 }' /proc/kallsyms)
watches=
while [ ${#watches} -lt 600 ]; do watches="$watches -e mem:$address/8:w"; done
refused "more watches than there are registers" 'watch|register' $watches -- true

# --- places --------------------------------------------------------------------------

mkdir /tmp/ro
mount -t tmpfs -o ro none /tmp/ro
for place in /tmp/ro/x /nonexistent/x /tmp/out; do
	said=$(ringtail record $event -o $place -- touch /tmp/ran 2>&1)
	is $? 1 "$place: refused"
	like "$said" "cannot open $place for writing: " "$place: with the reason"
	one_line "$place"
	fails "$place: the command was not run" test -e /tmp/ran
done
umount /tmp/ro

said=$(ringtail record $event -o /dev/full -- sh -c "$play" 2>&1)
is $? 1 "/dev/full: status"
like "$said" '/dev/full: No space left on device' "/dev/full: the reason"
one_line /dev/full

mkdir /tmp/tiny
mount -t tmpfs -o size=4k none /tmp/tiny
said=$(ringtail record $event -o /tmp/tiny/x -- touch /tmp/ran 2>&1)
is $? 1 "a disk that is full from the beginning: status"
like "$said" 'cannot write /tmp/tiny/x: No space left' "with the reason"
is "$(ls /tmp/tiny)" "" "nothing is left"
fails "the command was not run" test -e /tmp/ran
umount /tmp/tiny

# The disk has room for the records, and less and less for the end of the file.
ringtail record $event -o /tmp/out/fit -- sh -c "$play" 2>/dev/null
pages=$((($(stat -c %s /tmp/out/fit) + 4095) / 4096))
for less in 0 1 2 3; do
	mount -t tmpfs -o size=$(((pages - less) * 4))k none /tmp/tiny
	said=$(ringtail record $event -o /tmp/tiny/x -- sh -c "$play" 2>&1)
	status=$?
	[ -e /tmp/tiny/x ] || { umount /tmp/tiny && continue; }
	count=$(samples /tmp/tiny/x)
	is "$(cat /tmp/warnings)" "" "$((pages - less)) pages of disk for $pages: perf opens the file"
	case $status in
	0) is $count 20 "all is there, and no failure" ;;
	*) like "$said" "$((20 - count)) of 20 events are not in /tmp/tiny/x" "it says how many are missing" ;;
	esac
	umount /tmp/tiny
done

# --- pipes ---------------------------------------------------------------------------

mkfifo /tmp/fifo
cat /tmp/fifo >/tmp/stream &
ringtail record $event -o /tmp/fifo -- sh -c "$play" 2>/dev/null
is $? 0 "a fifo: status"
wait $!
is "$(perf_events -i - </tmp/stream 2>&1 | grep -c rt_play_number)" 20 "a fifo: the stream is whole"

: >/tmp/said
ringtail record $event -o /tmp/fifo -- true 2>/tmp/said &
agent=$!
# The shell starts background jobs with SIGINT ignored, until ringtail installs its handler.
until [ "$(cat /proc/$agent/comm)" = ringtail ]; do usleep 50000; done
while kill -INT $agent 2>/dev/null; do usleep 200000; done
wait $agent
is $? 1 "a fifo that nobody reads: Ctrl-C ends the waiting"
like "$(cat /tmp/said)" '/tmp/fifo: no program has opened it for reading' "with the reason"

{ ringtail record $event -o - -- sh -c 'while :; do echo number 100 >/proc/rt_play; done' 2>/tmp/said; echo $? >/tmp/status; } |
	head -c 100000 >/dev/null
is "$(cat /tmp/status)" 1 "a reader that has gone: status"
like "$(cat /tmp/said)" '[0-9]+ of [0-9]+ events are not in the pipe: the pipe: the program that reads the pipe has ended' "with what is missing"

# A reader that reads nothing.  Descriptor 4 keeps the pipe open at both ends.
exec 4<>/tmp/fifo
stall() {
	dd bs=1024 <&4 >/tmp/stream 2>/dev/null &
	reader=$!
	: >/tmp/said
	ringtail record $event -a -o /tmp/fifo 2>/tmp/said 4>&- &
	agent=$!
	until grep -q 'recording to' /tmp/said; do usleep 50000; done
	usleep 300000
	kill -STOP $reader
	echo number 3000 >/proc/rt_play
	usleep 500000
	kill -INT $agent
	until grep -q 'waiting for the program that reads' /tmp/said; do usleep 50000; done
}
stall
tap_point 0 "a reader that stalls: Ctrl-C ends the recording, and says what is waited for"
echo number 1000 >/proc/rt_play
kill -CONT $reader
wait $agent
is $? 0 "when it reads on: status"
like "$(cat /tmp/said)" ' 3000 events written' "what came after the request is not recorded"
usleep 500000
kill $reader
wait $reader 2>/dev/null
is "$(perf_events -i - </tmp/stream 2>/tmp/warnings | grep -c rt_play_number)" 3000 "and it has everything"

stall
kill -INT $agent
wait $agent
is $? 1 "a second Ctrl-C gives up: status"
like "$(cat /tmp/said)" '[1-9][0-9]* of 3000 events are not in /tmp/fifo: /tmp/fifo: its reader takes nothing' "with what is missing"
kill -9 $reader
wait $reader 2>/dev/null
exec 4>&-

# --- commands and processes ------------------------------------------------------------

for signals in "TERM TERM" "INT TERM" "HUP HUP"; do
	: >/tmp/said
	ringtail record $event -a -o $data 2>/tmp/said &
	agent=$!
	until grep -q 'recording to' /tmp/said; do usleep 50000; done
	sh -c "$play"
	for signal in $signals; do kill -$signal $agent 2>/dev/null; done
	wait $agent
	is $? 0 "SIG$signals: status"
	is "$(samples $data)" 20 "SIG$signals: the file is whole"
done

ringtail record $event -o $data -- sh -c "(usleep 300000; $play) & $play" 2>/tmp/said
is $? 0 "a command that leaves a child behind: status"
is "$(samples $data)" 20 "the recording ends with the command"
sleep 0 &
said=$(timeout 60 ringtail record $event -p $! -o $data 2>&1)
ok "-p of a process that ends at once: it ends, or is refused" test $? -le 1
unshare -pf --mount-proc ringtail record $event -o $data -- sh -c "$play" 2>/tmp/said
is $? 0 "in a PID namespace: status" || diag "$(cat /tmp/said)"
is "$(samples $data)" 20 "in a PID namespace: the events of the command"
like "$(perf_events -F comm,event -i $data 2>/dev/null)" ' sh .*rt_play_number|^ *sh +' "with its name"

# Kill it while it prepares, at moments from before its start until long after.
i=0
while [ $i -lt 10 ]; do
	ringtail record $event -q -o $data 2>/dev/null &
	usleep $((i * 20000))
	kill -9 $!
	wait $! 2>/dev/null
	i=$((i + 1))
done
is "$(cd /tmp/out && echo *)" "fit perf.data perf.data.old" "no other file was left"
is "$(cat /sys/kernel/debug/kprobes/list)" "" "no probe is left"
ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
