#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=4 mem=2048 timeout=900 default="newest-*"
#
# Several threads read the rings (--threads): four CPUs make system calls in threads that live shortly,
# and the rings are small.  What was written and lost is what the program did; perf finds all of it, in
# order, each event with its process.  With --threads, several threads write events to the file.

# shellcheck disable=SC2154 # of record.sh
. ./lib/tap.sh
. ./lib/record.sh

# Before 4.17 the function is sys_getppid() or, under another name for the same, SyS_getppid().
getppid=$(sed -n 's/.* [tT] \(__x64_sys_getppid\|__arm64_sys_getppid\|sys_getppid\)$/\1/p' /proc/kallsyms | head -n 1)
data=/tmp/perf.data

insmod /rt/ringtail.ko || exit

# storm OPTION…: record rt_bench_storm; $did, $written, $lost, and $writers: how many threads of ringtail were
# seen that had written.  The recorder stands still for a moment, so that the rings fill on any machine.
storm() {
	ringtail record -a -e kprobe:$getppid -m "$room" -o $data "$@" \
		-- rt_bench_storm 8 2 threads >/tmp/did 2>/tmp/said &
	agent=$!
	writers=0 looks=0
	while usleep 200000 && [ -e /proc/$agent/exe ]; do
		now=$(cat /proc/$agent/task/*/io 2>/dev/null | grep -c '^wchar: [1-9]')
		[ "$now" -le "$writers" ] || writers=$now
		[ $looks -gt 0 ] || pidof rt_bench_storm >/dev/null || continue
		looks=$((looks + 1))
		case $looks in
		2) kill -STOP $agent 2>/dev/null ;;
		6) kill -CONT $agent 2>/dev/null ;;
		esac
	done
	wait $agent
	is $? 0 "$*: status" || diag "$(cat /tmp/said)"
	did=$(cat /tmp/did)
	written=$(sed -n 's/.*: \([0-9]*\) events written.*/\1/p' /tmp/said)
	lost=$(sed -n 's/.* \([0-9]*\) lost.*/\1/p' /tmp/said | head -n 1)
	diag "$(grep 'events written' /tmp/said)"
}

uncounted=
[ -e /proc/self/io ] || uncounted='this kernel does not count what threads write'
[ "$(info-print | sed -n 's/^clock=//p')" != 0 ] || uncounted='one thread does all: programs cannot read the clock of events'

# In large rings events wait for long, while the side-band is written at once.
for run in "128K --threads=4" "128K --threads=2" "128K --threads=1" "128K --threads=4 -z" "4M --threads=2"; do
	room=${run%% *} options=${run#* }
	# shellcheck disable=SC2086 # words are meant
	storm $options
	is $((written + lost)) "$did" "$options: written and lost are what was done"
	unseen=$uncounted
	[ "$did" -ge 40000 ] || unseen="only $did calls: too few to fill the rings"
	[ -z "$unseen" ] || skip "$options: threads that write" "$unseen"
	[ -n "$unseen" ] || case $run in
	*=1) is "$writers" 1 "$options: one thread writes" ;;
	128K*) ok "$options: several threads write" test "$writers" -gt 1 ;;
	esac
	diag "$options: $writers threads have written"
	# Of each event whether it is later than the one before it, and the process of its thread.
	perf script -i $data -F comm,pid,tid,time 2>/tmp/warnings | awk '
		{ split($2, task, "/"); time = $3 + 0 }
		time < last { back++ }
		{ last = time; processes[task[1]]++; alone += task[1] == task[2] }
		END { for (p in processes) n++; print NR, back + 0, n + 0, alone + 0 }' >/tmp/found
	processes=8
	# A process that got its CPU too late has not called at all.
	[ -n "$did" ] && [ "$did" -lt 40000 ] && processes=$(cut -d ' ' -f 3 /tmp/found)
	is "$(cat /tmp/found)" "$written 0 $processes 0" "$options: perf finds all, in order, of threads of eight processes"
	is "$(grep -v -e lost -e '^Warning:$' -e '^Check IO/CPU overload!$' -e '^$' /tmp/warnings)" "" "$options: perf has nothing to say"
	is "$(ringtail script -i $data -F event 2>/dev/null | wc -l)" "$written" "$options: so does ringtail"
	rm -f $data
done

# Another file every 2 MB: its lanes begin anew.
room=128K
storm --threads=4 --switch-output=2M
is $((written + lost)) "$did" "several files: written and lost are what was done"
sum=0
for file in $data.*; do
	sum=$((sum + $(perf script -i "$file" -F event 2>/dev/null | wc -l)))
done
is "$sum" "$written" "several files: perf finds all"
if [ "$did" -ge 80000 ]; then
	ok "there are several" test "$(ls $data.* | wc -l)" -gt 1
else
	skip "there are several" "only $did calls: they may fit into one file"
fi
rm -f $data*

said=$(ringtail record --threads=0 -a -o $data 2>&1)
is "$?" 2 "--threads=0 is refused"
like "$said" '^ringtail: record: --threads takes a number from 1 to 64' "in one line"
said=$(ringtail record --threads=numa -a -o $data 2>&1)
is "$?" 2 "--threads=numa is refused"

ok "ringtail unloads" rmmod ringtail
done_testing
