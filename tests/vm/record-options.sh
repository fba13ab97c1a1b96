#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=600 default="5.10-*"
#
# Options of record that choose files, times and tasks: --switch-output, --max-size,
# --timestamp-filename, -z, -D, -u, --all-kernel, --all-user, --dry-run, -v, -B, -k, and what is refused.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

event='kprobe:rt_play_number'
dir=/tmp/options
data=$dir/perf.data
mkdir -p $dir
play() { echo "number $1" >/proc/rt_play; }
samples() { perf_events -i "$1" 2>/tmp/warnings | grep -c 'rt_play_number: '; }
saw() { until grep -q "$1" /tmp/said || [ ! -d /proc/$agent ]; do usleep 20000; done; }
files() { ls $dir | wc -l; }

# --- only trying --------------------------------------------------------------------

said=$(ringtail record --dry-run -e $event -e sched:sched_switch -o $data -- touch $dir/ran 2>&1)
is "$? $said" "0 [ ringtail: 2 events can be recorded; nothing was ]" "--dry-run"
is "$(ls $dir)" "" "neither file nor command"
is "$(cat /sys/kernel/debug/kprobes/list)" "" "nothing is armed"
said=$(ringtail record --dry-run -e kprobe:no_such_function -a -o $data 2>&1)
is $? 2 "--dry-run of what cannot be recorded fails"
like "$said" 'no function of that name' "with the reason"

# --- later --------------------------------------------------------------------------

# The delay is long enough for the first numbers; the last come when the recording says it has begun.
# shellcheck disable=SC2016 # for the inner shell
ringtail record -D 6000 -e $event -o $data -- sh -c 'echo number 5 >/proc/rt_play
	until grep -q "recording to" /tmp/said; do usleep 50000; done; echo number 7 >/proc/rt_play' 2>/tmp/said
is $? 0 "-D: status" || diag "$(cat /tmp/said)"
is "$(samples $data)" 7 "only what comes after the delay is recorded"
rm -f $data

# --- several files ------------------------------------------------------------------

ringtail record --switch-output -e $event -a -o $data 2>/tmp/said &
agent=$!
until_armed rt_play_number
for n in 10 20 30; do
	play $n
	kill -USR2 $agent
	until [ "$(grep -c 'is complete' /tmp/said)" = $((n / 10)) ]; do usleep 20000; done
done
play 40
kill -INT $agent
wait $agent
is $? 0 "--switch-output, another file on SIGUSR2: status" || diag "$(cat /tmp/said)"
is "$(for f in "$dir"/*; do samples "$f"; done | tr '\n' ' ')" "10 20 30 40 " "each file has what came before its signal"
is "$(for f in "$dir"/*; do perf_events -F comm -i "$f" 2>/dev/null; done | sort -u | tr -d ' ')" record-options. "with the names of tasks"
like "$(cat /tmp/said)" '100 events written.*, 0 lost' "the sum is said"
like "$(cat /tmp/said)" '4 files were written, 4 are kept' "and the number of files"
like "$(ls $dir | head -n 1)" "^perf\.data\.$(date +%Y)[0-9]{12}$" "named as perf names them"
rm -f $dir/*

# By size, under load: nothing is lost unseen between two files.
ringtail record --switch-output=300K -e $event -a -o $data 2>/tmp/said &
agent=$!
until_armed rt_play_number
sum=0
until [ "$(grep -c 'is complete' /tmp/said)" -ge 3 ]; do play 500; sum=$((sum + 500)); done
kill -INT $agent
wait $agent
count=0
for f in "$dir"/*; do count=$((count + $(samples "$f"))); done
lost=$(sed -n 's/.* \([0-9]*\) lost.*/\1/p' /tmp/said)
is $((count + lost)) $sum "--switch-output=300K: all files together hold every event ($(files) files, $lost lost)"
rm -f $dir/*

ringtail record --switch-output=200K --switch-max-files 2 -e $event -a -o $data 2>/tmp/said &
agent=$!
until_armed rt_play_number
until [ "$(grep -c 'is complete' /tmp/said)" -ge 4 ]; do play 500; done
kill -INT $agent
wait $agent
is "$(files)" 2 "--switch-max-files 2: two files are left" || diag "$(ls $dir)"
like "$(cat /tmp/said)" '([5-9]|[1-9][0-9]+) files were written, 2 are kept' "and it says so"
rm -f $dir/*

: >/tmp/said # saw() must not find what the recording before has said
ringtail record --switch-output=1s -e $event -a -o $data 2>/tmp/said &
agent=$!
saw 'is complete'
kill -INT $agent
wait $agent
ok "--switch-output=1s: another file although nothing happens" test "$(files)" -ge 2 || diag "$(cat /tmp/said)"
rm -f $dir/*

# A disk that is full when the next file is due.
mount -t tmpfs -o size=1m none $dir
ringtail record --switch-output=200K -e $event -a -o $data >/tmp/said 2>&1 &
agent=$!
until_armed rt_play_number
while [ -d /proc/$agent ]; do play 500; done
wait $agent
is $? 1 "a full disk between two files: status" || diag "$(cat /tmp/said)"
is "$(cat /sys/kernel/debug/kprobes/list)" "" "nothing is left armed"
# The disk may be full before the first file is complete.
for f in "$dir"/perf.data.*; do [ -e "$f" ] || continue; samples "$f" >/dev/null; grep -vE 'lost|^Warning:$|^Check IO/CPU overload!$|^$' /tmp/warnings; done >/tmp/all
is "$(cat /tmp/all)" "" "the complete files are whole"
umount $dir

# --- names and sizes ----------------------------------------------------------------

ringtail record -q --timestamp-filename -e $event -o $data -- sh -c 'echo number 3 >/proc/rt_play'
like "$(ls $dir)" "^perf\.data\.$(date +%Y)[0-9]{12}$" "--timestamp-filename"
is "$(samples $dir/perf.data.*)" 3 "the file is whole"
rm -f $dir/*
# shellcheck disable=SC2016 # for the inner shell
said=$(ringtail record --max-size 100K -e $event -o $data -- sh -c 'while echo number 100 >/proc/rt_play; do :; done' 2>&1)
is $? 0 "--max-size ends the recording"
like "$said" 'has reached --max-size; the recording ends' "and says so"
# What the rings of both CPUs hold, 8 MB each, is written, too.
ok "the file is not much larger" test "$(stat -c %s $data)" -ge 100000 -a "$(stat -c %s $data)" -lt 64000000
rm -f $dir/*

ringtail record -q -e $event -o $dir/plain.data -- sh -c 'for i in 1 2 3 4 5; do echo number 1000 >/proc/rt_play; done'
said=$(ringtail record -z -e $event -o $data -- sh -c 'for i in 1 2 3 4 5; do echo number 1000 >/proc/rt_play; done' 2>&1)
is "$? $(samples $data)" "0 5000" "-z: all samples are there"
size=$(stat -c %s $data)
said=$(printf '%s\n' "$said" | sed -n 's/.*; \([0-9]*\) KB to .*/\1/p')
ok "the size that it says is the compressed one: $said KB, $size bytes" test "$said" -le $((size / 1000 + 1))
like "$(perf script --header-only -i $data 2>&1)" 'compressed : Zstd, level = 1, ratio = [1-9]' "perf sees that they are compressed"
ok "the file is at most half as long" test $(($(stat -c %s $data) * 2)) -le "$(stat -c %s $dir/plain.data)"
rm -f $dir/*
refused '-z takes a level from 1 to 22' -z23
said=$(ringtail record -z -e $event -a -o - 2>&1 >/dev/null)
is "$? $said" "2 ringtail: record: -z compresses files: with -o - pipe the output through zstd" "-z into a pipe"

# --- whose ---------------------------------------------------------------------------

echo 'tracee:x:1234:1234::/:/bin/sh' >>/etc/passwd
su -s /bin/sh tracee -c 'until [ -e /tmp/go ]; do usleep 20000; done; sleep 2' &
until grep -lq '^Uid:.1234' /proc/[0-9]*/status; do usleep 20000; done 2>/dev/null
: >/tmp/said
ringtail record -u tracee -e sched:sched_switch --duration 4s -o $data 2>/tmp/said &
agent=$!
saw 'recording to'
: >/tmp/go
wait $agent
is $? 0 "-u: status" || diag "$(cat /tmp/said)"
own=$(perf_events -F comm,pid,event -i $data 2>/dev/null | grep -c sched_switch)
ok "-u records that user's processes" test "$own" -gt 0
# The shell runs its own commands as "exe" before they have their names.
is "$(perf_events -F comm -i $data 2>/dev/null | tr -d ' ' | sort -u | grep -vE '^(su|sh|exe|usleep|sleep)$')" "" "and nobody else's"
rm -f $dir/*

# --- where ---------------------------------------------------------------------------

for mode in kernel user; do
	# shellcheck disable=SC2016 # for the inner shell
	ringtail record -q --all-$mode -e cpu-clock -F 999 -o $data -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; cat /proc/kallsyms >/dev/null'
	perf_events -F ip -i $data 2>/dev/null >/tmp/ips
	ok "--all-$mode: there are samples" test -s /tmp/ips
	case $mode in kernel) other=$(grep -cv ffff /tmp/ips) ;; user) other=$(grep -c ffff /tmp/ips) ;; esac
	is "$other" 0 "and all are taken there"
done

# --- the rest --------------------------------------------------------------------------

# Before 3.17 the kernel has no monotonic clock for all contexts.
clock=
[ "$(info-print | sed -n 's/^clock=//p')" = 0 ] || clock='-k monotonic'
# shellcheck disable=SC2086 # words are meant
said=$(ringtail record -v -R -T -P -N --sample-cpu --per-thread $clock -B -e $event -o $data -- sh -c 'echo number 2 >/proc/rt_play' 2>&1)
is $? 0 "options of perf that change nothing"
like "$said" 'ABI [0-9]+\.[0-9]+, 2 CPUs, each with a ring of [0-9]+ KB' "-v tells of the rings"
like "$said" "event 1: 'kprobe:rt_play_number' as probe:rt_play_number" "and of the events"
unlike "$(perf buildid-list -i $data)" '/' "-B: no build-ids of files"

# --- counts of threads ------------------------------------------------------------------

said=$(ringtail record -s -e $event -e sched:sched_process_exec -o $data -- \
	sh -c 'echo number 5 >/proc/rt_play; /bin/sh -c "echo number 7 >/proc/rt_play"; :' 2>&1)
is $? 0 "-s: status" || diag "$said"
ringtail report -T -i $data 2>/tmp/said | sed -n '/PID  *TID/,$p' >/tmp/counts
is "$(awk '{ print $(NF - 1), $NF }' /tmp/counts | tr '\n' ';')" \
	"probe:rt_play_number sched:sched_process_exec;5 1;7 1;" "-T: what each thread had" || diag "$(cat /tmp/said)"
is "$(perf report -T --stdio -i $data 2>/dev/null | sed -n '/PID  *TID/,$p')" "$(cat /tmp/counts)" "perf's table is the same"
ringtail record -q -e $event -o $data -- true
said=$(ringtail report -T -i $data 2>&1 >/dev/null)
like "$said" "the recording has no counts of threads; 'record -s' writes them" "-T of a recording without"

refused "ringtail does not, because the kernel announces no branch records of this CPU" -b
refused 'those of CLOCK_MONOTONIC' -k boottime
said=$(ringtail record --switch-output -e $event -a -o - 2>&1 >/dev/null)
is "$? $said" "2 ringtail: record: --switch-output needs files: leave out -o -" "--switch-output into a pipe"
refused "takes 'signal', a size such as 10M, or a time" --switch-output=often
refused "give a time of more than 0" --switch-output=0s
refused 'takes a size' --max-size many
refused "needs --switch-output" --switch-max-files 3
refused 'leave nothing' --all-kernel --all-user
refused 'leave it out' -u 0
said=$(ringtail record -u 4321 -e $event -o $data 2>&1)
is "$? $said" "1 ringtail: record: -u 4321: that user runs no process" "-u of a user without processes"

ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
done_testing
