#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=240 default="newest-*"
#
# What record shows on a terminal: a status line, and where a wrong event is wrong.  Terms and groups
# of events in the file.  --control.  --switch-max-files when an old file cannot be deleted.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit
mkdir -p /dev/pts
mount -t devpts devpts /dev/pts 2>/dev/null
play() { echo "number $1" >/proc/rt_play; }
screen() { tr '\r' '\n' </tmp/screen; }
event=kprobe:rt_play_number

# --- the status line ------------------------------------------------------------------

on_screen() { # REGEX N: play N numbers at a time until the screen shows it
	until screen | grep -Eq "$1" || [ ! -d /proc/$agent ]; do
		play "$2"
		usleep 50000
	done
}
in-terminal ringtail record -a -e $event -m 32K -o /tmp/status.data >/tmp/screen & agent=$!
until_armed rt_play_number
on_screen '[0-9]+ s, [1-9][0-9]* events/s, [0-9.]+ MB, 0 lost' 10
like "$(screen)" '[0-9]+ s, [1-9][0-9]* events/s, [0-9.]+ MB, 0 lost' "time, rate, size and losses"
on_screen 'lost: [0-9]+ ring full' 30000
like "$(screen)" 'MB, lost: [0-9]+ ring full' "losses by their cause"
kill -INT "$(pidof ringtail)"
wait $agent
is $? 0 "status" || diag "$(screen)"
like "$(screen | tail -n 20)" 'events written' "then the summary"

ringtail record -a -e $event -o /tmp/status.data 2>/tmp/screen & agent=$!
until_armed rt_play_number
play 10
sleep 3
kill -INT $agent
wait $agent
unlike "$(screen)" 'events/s' "no status line without a terminal"
in-terminal ringtail record -q -a -e $event --duration 3s -o /tmp/status.data >/tmp/screen
is "$(cat /tmp/screen)" "" "nor with -q"

# --- a wrong event ----------------------------------------------------------------------

in-terminal ringtail record -a -e cycles/perod=1/ -o /tmp/no.data >/tmp/screen
is $? 2 "a wrong term: status"
like "$(screen)" "column 8: 'perod' is no term.*did you mean 'period'" "with the nearest one"
is "$(screen | grep -A5 'did you mean' | grep -v '^$' | tail -n 2)" "  cycles/perod=1/
         ^" "and a caret below the wrong character"
said=$(ringtail record -a -e cycles/perod=1/ -o /tmp/no.data 2>&1)
is "$(printf '%s\n' "$said" | wc -l)" 1 "without a terminal in one line"

# --- terms and groups in the file -------------------------------------------------------

record -e '{cpu-clock/period=1000000,name=tick/,page-faults/freq=50/}' \
	-e sched:sched_process_exit/name=gone,max-stack=3/ -e sched:sched_process_exec/call-graph=no/ \
	-e task-clock/stack-size=512/ -- sh -c 'seq 2000 | sort >/dev/null'
is $? 0 "terms: status" || diag "$said"
perf evlist -v -i /results/perf.data >/tmp/evlist 2>/tmp/warnings
of() { grep "^$1: " /tmp/evlist; }
like "$(of tick)" 'sample_freq \}: 1000000,' "period= and name="
like "$(of 'page-faults[^:]*')" 'freq: 1' "freq="
like "$(of 'page-faults[^:]*')" 'sample_freq \}: 50,' "with its number"
like "$(of gone)" 'sample_max_stack: 3' "max-stack= and name= of a tracepoint"
like "$(of gone)" 'CALLCHAIN' "max-stack= records stacks"
unlike "$(of sched:sched_process_exec)" 'CALLCHAIN' "call-graph=no"
like "$(of 'task-clock[^:]*')" 'STACK_USER.*sample_stack_user: 512' "stack-size="
is "$(perf evlist -g -i /results/perf.data 2>/dev/null | head -n 1)" "{tick,page-faults/freq=50/}" "a group"
like "$(perf_events -i /results/perf.data 2>/dev/null)" ' gone: .*comm=' "perf script shows the name, and the fields of the tracepoint"
refused "the modifier S; ringtail does not" -e '{cpu-clock,page-faults}:S'

# --- commands -------------------------------------------------------------------------

mkfifo /tmp/commands /tmp/answers
exec 8<>/tmp/answers
ringtail record --control fifo:/tmp/commands,/tmp/answers -D -1 -a -e $event -o /tmp/control.data 2>/tmp/said & agent=$!
until_armed rt_play_number
say() { # COMMAND: send it and wait for the answer
	echo "$1" >/tmp/commands
	read -r answer <&8
}
play 1
say ping
is "$answer" ack "--control: an answer"
say enable
play 20
say disable
is "$(grep -v DISABLED /sys/kernel/debug/kprobes/list)" "" "nothing is armed after disable"
play 300
say enable
play 4000
say disable
say disable
echo nonsense >/tmp/commands
say enable
play 5000
say stop
wait $agent
is $? 0 "--control stop ends the recording: status" || diag "$(cat /tmp/said)"
is "$(perf_events -i /tmp/control.data 2>/tmp/warnings | grep -c 'rt_play_number: ')" 9020 "only what happened while it was enabled"
is "$(cat /tmp/warnings)" "" "perf reads it without a warning"
like "$(cat /tmp/said)" "there is no command 'nonsense'" "an unknown command"
refused "cannot open /tmp/nosuch.*mkfifo" -e $event --control fifo:/tmp/nosuch
refused "is no FIFO" -e $event --control fifo:/tmp/said
refused "takes fifo:PATH" -e $event --control tcp:1
refused "not an open descriptor" -e $event --control fd:99
refused "takes milliseconds" -e $event -D -1

# --- old files that stay --------------------------------------------------------------

dir=/tmp/kept
mkdir -p $dir
ringtail record --switch-output --switch-max-files 1 -a -e $event -o $dir/perf.data 2>/tmp/said & agent=$!
until_armed rt_play_number
for n in 1 2; do
	kill -USR2 $agent
	until [ "$(grep -c 'is complete' /tmp/said)" = $n ]; do usleep 20000; done
	# unlink() does not delete a directory.
	[ $n = 2 ] || for f in "$dir"/perf.data.*; do rm "$f" && mkdir "$f"; done
done
kill -INT $agent
wait $agent
is $? 0 "--switch-max-files: status"
like "$(cat /tmp/said)" 'warning: record: --switch-max-files: cannot delete .*: Is a directory; delete it' "it says which file stays"
done_testing
