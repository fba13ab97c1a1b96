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

# storm OPTION…: record rt_bench_storm; $did, $written, $lost, and $writers: how many threads of ringtail wrote
# events.  With held=held the recorder stands still for the first half of the storm, so that the rings fill on any
# machine.
processes=8
storm() {
	# shellcheck disable=SC2086 # none or one
	ringtail record -v -a -e kprobe:$getppid -m "$room" -o $data "$@" \
		-- rt_bench_storm $processes 2 threads $held >/tmp/did 2>/tmp/said
	is $? 0 "$*: status" || diag "$(cat /tmp/said)"
	did=$(cat /tmp/did)
	written=$(sed -n 's/.*: \([0-9]*\) events written.*/\1/p' /tmp/said)
	lost=$(sed -n 's/.* \([0-9]*\) lost.*/\1/p' /tmp/said | head -n 1)
	writers=$(sed -n 's/^  \([0-9]*\) threads\{0,1\} wrote events$/\1/p' /tmp/said)
	diag "$(grep -e 'events written' -e 'wrote events' /tmp/said)"
}

unthreaded=
[ "$(info-print | sed -n 's/^clock=//p')" != 0 ] || unthreaded='one thread does all: programs cannot read the clock of events'

held=held
# In large rings events wait for long, while the side-band is written at once.
for run in "128K --threads=4" "128K --threads=2 -s" "128K --threads=1" "128K --threads=4 -z" "4M --threads=2"; do
	room=${run%% *} options=${run#* }
	# shellcheck disable=SC2086 # words are meant
	storm $options
	is $((written + lost)) "$did" "$options: written and lost are what was done"
	few=$unthreaded
	[ "$did" -ge 40000 ] || few="only $did calls: too few to fill the rings"
	case $run in
	*=1) is "$writers" 1 "$options: one thread writes" ;;
	128K*)
		if [ "$few" ]; then
			skip "$options: several threads write" "$few"
		else
			ok "$options: several threads write" test "$writers" -gt 1
		fi
		;;
	esac
	# Of each event whether it is later than the one before it, and the process of its thread.
	perf script -i $data -F comm,pid,tid,time 2>/tmp/warnings | awk '
		{ split($2, task, "/"); time = $3 + 0 }
		time < last { back++ }
		{ last = time; processes[task[1]]++; alone += task[1] == task[2] }
		END { for (p in processes) n++; print NR, back + 0, n + 0, alone + 0 }' >/tmp/found
	callers=$processes
	# A process that got its CPU too late has not called at all.
	[ -n "$did" ] && [ "$did" -lt 40000 ] && callers=$(cut -d ' ' -f 3 /tmp/found)
	[ "$callers" -ge 1 ] && [ "$callers" -le $processes ] || callers="1 to $processes"
	is "$(cat /tmp/found)" "$written 0 $callers 0" "$options: perf finds all, in order, of threads of eight processes"
	is "$(grep -v -e lost -e '^Warning:$' -e '^Check IO/CPU overload!$' -e '^$' /tmp/warnings)" "" "$options: perf has nothing to say"
	is "$(ringtail script -i $data -F event 2>/dev/null | wc -l)" "$written" "$options: so does ringtail"
	case $run in
	*-s)
		perf script -i $data -F pid,tid 2>/dev/null | sed 's|/| |' | sort | uniq -c | awk '{ print $2, $3, $1 }' | sort >/tmp/each
		ringtail report -T -q -i $data 2>/dev/null | sed '1,/PID  *TID/d' | awk '{ print $1, $2, $3 }' | sort >/tmp/counts
		ok "$options: the count of each of $(wc -l </tmp/each) threads" cmp /tmp/each /tmp/counts
		;;
	esac
	rm -f $data
done

# All calls are on the CPUs of the first thread: the second one writes events of these, too.
room=1M processes=2
storm --threads=2
is $((written + lost)) "$did" "two busy CPUs: written and lost are what was done"
few=$unthreaded
[ "$did" -ge 40000 ] || few="only $did calls: too few to fill the rings"
if [ "$few" ]; then
	skip "two busy CPUs: both threads write" "$few"
else
	is "$writers" 2 "two busy CPUs: both threads write"
fi
is "$(perf script -i $data -F time 2>/dev/null | awk '{ time = $1 + 0 } time < last { back++ } { last = time } END { print NR, back + 0 }')" \
	"$written 0" "two busy CPUs: perf finds all, in order"
rm -f $data

# Another file every 2 MB: its lanes begin anew.
room=128K held='' processes=8
storm --threads=4 --switch-output=2M
is $((written + lost)) "$did" "several files: written and lost are what was done"
sum=0
for file in $data.*; do
	sum=$((sum + $(perf script -i "$file" -F event 2>/dev/null | wc -l)))
done
is "$sum" "$written" "several files: perf finds all"
if [ "$written" -ge 80000 ]; then
	ok "there are several" test "$(ls $data.* | wc -l)" -gt 1
else
	skip "there are several" "only $written events: they may fit into one file"
fi
rm -f $data*

said=$(ringtail record --threads=0 -a -o $data 2>&1)
is "$?" 2 "--threads=0 is refused"
like "$said" '^ringtail: record: --threads takes a number from 1 to 64' "in one line"
said=$(ringtail record --threads=numa -a -o $data 2>&1)
is "$?" 2 "--threads=numa is refused"

ok "ringtail unloads" rmmod ringtail
done_testing
