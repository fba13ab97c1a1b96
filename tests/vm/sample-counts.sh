#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" smp=2 timeout=600 heavy=1 default="newest-*"
#
# Software events, each counted: as many as perf counts, for a command and its children, a process,
# a thread, a CPU; and refusals.

# shellcheck disable=SC2154 # of sample.sh
. ./lib/tap.sh
. ./lib/sample.sh

insmod /rt/ringtail.ko || exit

# of FUNCTION DATA
of() { names "$2" | grep -cx "$1"; }

both -e page-faults -c 1 -- rt_work touch 700
is "$(of rt_work_touch $theirs)" 700 "700 pages touched are 700 faults, says perf"
is "$(of rt_work_touch $ours)" 700 "and so do we"
like "$said" ' 0 lost' "none is lost"
is "$(samples $ours)" "$(written "$said")" "the closing line has the number of samples"
clean_reading $ours "page faults"

both -e page-faults -c 1 -- rt_work children 100 5
is "$(of rt_work_touch $ours)" "$(of rt_work_touch $theirs)" "children are followed: as many faults as perf"
is "$(of rt_work_touch $ours)" 500 "that is all of them"
is "$(pids $ours | sort -u | grep -c .)" 6 "of six processes"
record -i -e page-faults -c 1 -- rt_work children 100 5
is "$(of rt_work_touch $ours)" 0 "--no-inherit: children are not followed"

both -e page-faults -c 10 -- rt_work touch 1000
is "$(periods $ours | sort -u)" 10 "a sample every ten"
ok "about a tenth" [ "$(samples $ours)" -ge 90 ]

both -e context-switches -c 1 -- rt_work switch 100
ok "each pass of a byte is a switch, at least" [ "$(samples $ours)" -ge 100 ]
like "$said" ' 0 lost' "none is lost"

both -e page-faults,context-switches -c 1 -- rt_work children 20 3
is "$(of rt_work_touch $ours)" 60 "two events in one recording: all the faults"
is "$(samples $ours)" "$(written "$said")" "together as many as the closing line says"
ok "with samples of both" [ "$(events $ours | grep -c context-switches)" -gt 0 ]

# Attach to a running process.  It keeps both CPUs busy, so read the recording after its end.
rt_work threads 1000000 2 &
work=$!
# Wait until its threads exist.
until [ "$(ls /proc/$work/task | wc -l)" = 3 ]; do :; done
thread=$(ls /proc/$work/task | tail -n 1)
attached() { # NAME OPTION…
	name=$1
	shift
	ringtail record -q -e cpu-clock -F 999 --duration 1s -o /results/$name.data "$@" || diag "status $?"
}
attached process -p $work
attached thread -t "$thread"
attached cpu -C 1
attached filter -a --filter "tid == $thread"
kill $work
wait $work 2>/dev/null
is "$(pids /results/process.data | sort -u)" $work "-p: this process only"
is "$(tids /results/process.data | sort -u | grep -vcx "$work")" 2 "with its threads"
is "$(tids /results/thread.data | sort -u)" "$thread" "-t: this thread only"
is "$(printed /results/cpu.data -F cpu | sort -u | tr -d ' ')" '[001]' "-C: this CPU only"
is "$(tids /results/filter.data | sort -u)" "$thread" "a filter"

refused() { # STATUS REGEX OPTION…
	status=$1 want=$2
	shift 2
	said=$(ringtail record "$@" -o /tmp/refused.data -a --duration 1s 2>&1)
	is $? "$status" "$*: refused"
	like "$said" "$want" "$*: with the reason"
	is "$(printf '%s\n' "$said" | wc -l)" 1 "in one line"
	is "$(ls /tmp/refused.data 2>/dev/null)" "" "no file is left behind"
}
# Some counters accept any number in their lowest bits.
[ "$(uname -m)" != x86_64 ] || refused 1 'no such counter|does not sample' -e rffffffffffff
refused 2 'samples a second' -F 0
refused 2 'perf_event_max_sample_rate' -F 100000000
refused 2 'number of events' -c none -e cpu-clock
refused 2 'fp, dwarf' --call-graph lbr

# Sample as fast as possible if the kernel allows only one sample per tick: a debug kernel is slow.
# The rate can be set only if the kernel may lower it by itself, which sample.sh forbids.
echo 25 >/proc/sys/kernel/perf_cpu_time_max_percent
echo 250 >/proc/sys/kernel/perf_event_max_sample_rate
# On a busy machine a guest may have no two samples in a tick for a while.
for rounds in 2000 5000 10000 20000; do
	record -e cpu-clock -c 100000 -- rt_work hot $rounds
	case $said in *throttled:*) break ;; esac
done
like "$said" 'throttled: the kernel paused a counter [0-9]+ times' "throttling is told"
ok "the rest is recorded" [ "$(samples $ours)" -gt 0 ]

ok "ringtail unloads" rmmod ringtail
done_testing
