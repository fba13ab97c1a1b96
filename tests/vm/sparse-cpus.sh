#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: arch=arm64 smp=4 sparse=1 timeout=300 default="@(5.10-*|6.1-*)"
#
# CPU numbers have a gap, because the kernel could not start one CPU.  Every CPU that exists has its
# ring, its counter and its watch under its own number.

# shellcheck disable=SC2154 # of watch.sh
. ./lib/tap.sh
. ./lib/watch.sh

# When ftrace releases a function, kernels from 5.18 to 6.14 wait for tasks (RCU tasks) on CPUs 0,
# 1, 2 and so on, and fail at the gap.
insmod /rt/ringtail.ko ftrace=0 || exit
insmod /rt/modules/rt_play.ko || exit
insmod /rt/modules/rt_watch_play.ko || exit

possible=$(cat /sys/devices/system/cpu/possible)
like "$possible" '^(0,2-3|0-1,3)$' "CPU numbers with a hole"
case $possible in
0,2-3) cpus='0 2 3' hole=1 ;;
*) cpus='0 1 3' hole=2 ;;
esac
info=$(info-print)
like "$info" 'cpus_possible=3' "three CPUs"
like "$info" 'cpu_ids=4' "whose numbers are below 4"

each() { for cpu in $cpus; do taskset $((1 << cpu)) sh -c "$1"; done; }
numbers() { perf_events -i $data -F "$1" 2>/dev/null | sed -n 's/.*\[0*\([0-9]\)\].*/\1/p' | sort | uniq -c | awk '{ print $2 ":" $1 }' | tr '\n' ' '; }

each 'echo number 1 >/proc/rt_play' # now the shell's own files are in memory
ringtail record -q -a -e kprobe:rt_play_number -o $data -- \
	sh -c "for cpu in $cpus; do taskset \$((1 << cpu)) sh -c \"echo number 1\$cpu >/proc/rt_play\"; done"
want=$(for cpu in $cpus; do printf '%s:1%s ' "$cpu" "$cpu"; done)
is "$(numbers cpu,event)" "$want" "hits of a probe, by CPU"
ringtail record -q -C 3 -e kprobe:rt_play_number -o $data -- \
	sh -c "for cpu in $cpus; do taskset \$((1 << cpu)) sh -c 'echo number 5 >/proc/rt_play'; done"
is "$(numbers cpu,event)" "3:5 " "of one CPU alone"
said=$(ringtail record -C $hole -e kprobe:rt_play_number -o /tmp/refused.data -- true 2>&1)
is $? 1 "a CPU that is not there is refused" || diag "$said"
ringtail record -q -a -e "mem:$(address word)/8:w" -o $data -- \
	sh -c "for cpu in $cpus; do echo cpu \$cpu 1\$cpu >/proc/rt_watch_play; done"
is "$(numbers cpu,event)" "$want" "hits of a watch, by CPU"
ringtail record -q -a -e cpu-clock -F 500 -o $data -- \
	sh -c "for cpu in $cpus; do taskset \$((1 << cpu)) rt_work hot 300; done"
is "$(numbers cpu,event | sed 's/:[0-9]*//g')" "$(echo "$cpus" | sed 's/$/ /')" "samples of every CPU"
like "$(ringtail doctor 2>&1)" 'watchpoints.*tried on 3 CPUs' "doctor tries watchpoints on every CPU"

ok "rt_play unloads" rmmod rt_play
ok "rt_watch_play unloads" rmmod rt_watch_play
ok "ringtail unloads" rmmod ringtail
done_testing
