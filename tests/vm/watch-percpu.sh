#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" smp=2 timeout=600 default="newest-*"
#
# Per-CPU variables by name: each CPU watches its own copy; NAME@CPU is one copy, watched by all CPUs.

# shellcheck disable=SC2154,SC2086,SC2116 # of watch.sh; words
. ./lib/tap.sh
. ./lib/watch.sh

said='' # by watch_command
insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_watch_log.ko || exit
each() { sed -n "s/^each $1 //p" /proc/rt_watch_log; }
seen() { awk '{ print $2, $6 }' /tmp/raw | sort | uniq -c | tr -s ' '; }
wanted() { # COUNT CPU…: as many writes of 1 … COUNT to the copies of these CPUs
	count=$1
	shift
	for cpu; do seq 1 "$count" | while read -r i; do printf '%s 0x%x\n' "$(each "$cpu")" "$i"; done; done |
		sort | uniq -c | tr -s ' '
}
cpus=$(sed -n 's/^processor.*: //p' /proc/cpuinfo)
lists() { awk -v name="$1" '$3 == name { found = 1 } END { exit !found }' /proc/kallsyms; }
variable=mem:rt_watch_log:rt_watch_log_each

if lists rt_watch_log_each; then
	watch_command 'echo each 20 >/proc/rt_watch_log' -e "$variable/8:w" -a
	like "$said" 'each CPU watches its own copy of this per-CPU variable and does not see what other CPUs write' \
		"one line says what is not seen"
	is "$(seen)" "$(wanted 20 $cpus)" "each CPU's writes to its own copy, at its address"
	for cpu in $cpus; do
		if ! perf_works; then
			perf_skip "perf counts as many on CPU $cpu"
			continue
		fi
		perf stat -x, -o /tmp/stat -C $cpu -e "mem:$(each $cpu)/8:w" sh -c 'echo each 20 >/proc/rt_watch_log' 2>/dev/null
		is "$(sed -n 's/^\([0-9]*\),.*/\1/p' /tmp/stat)" 20 "perf counts as many on CPU $cpu"
	done
	watch_command 'echo other 1 >/proc/rt_watch_log' -e "mem:rt_watch_log_each/8:w" -a
	is "$(seen)" "" "another CPU's write to the copy of CPU 1 is not seen"
	watch_command 'echo other 1 >/proc/rt_watch_log; echo each 5 >/proc/rt_watch_log' -e "mem:rt_watch_log_each@1/8:w" -a
	is "$(awk '{ print $2 }' /tmp/raw | sort -u)" "$(each 1)" "NAME@1 is the copy of CPU 1"
	is "$(awk '{ printf "%s%s", s, $6; s = " " }' /tmp/raw)" "$(echo "$cpus" | sed 1d | sed 's/.*/0x7 /' | tr -d '\n')0x1 0x2 0x3 0x4 0x5" "watched by all CPUs"
	unlike "$said" 'watches its own copy' "nothing else to say"
	said=$(ringtail record -e "mem:rt_watch_log_each@4000/8:w" -a --duration 1s -o /tmp/refused.data 2>&1)
	like "$said" "there is no such task or CPU" "a CPU that does not exist is refused"
	if [ -w /sys/devices/system/cpu/cpu1/online ]; then
		watch_command 'echo 0 >/sys/devices/system/cpu/cpu1/online; echo 1 >/sys/devices/system/cpu/cpu1/online
			echo each 5 >/proc/rt_watch_log' -e "mem:rt_watch_log_each/8:w" -a
		is "$(seen)" "$(wanted 5 $cpus)" "a CPU that goes and comes watches its copy again"
	fi
	# At most as many as there are registers, also after agents were killed.
	for i in 1 2 3 4 5; do
		ringtail record -e "$variable/8:w" -e "$variable/4:w" -a -q -o /tmp/killed.data 2>/dev/null &
		agent=$!
		usleep $((i * 150000))
		kill -9 $agent
		wait $agent 2>/dev/null
	done
	is "$(cut -d ' ' -f 1,3 /proc/modules | grep ringtail)" "ringtail 0" "after kills nothing holds the module"
	watch_command 'echo each 5 >/proc/rt_watch_log' -e "$variable/8:w" -a
	is "$(seen)" "$(wanted 5 $cpus)" "and the registers are free"
else
	said=$(ringtail record -e "$variable/8:w" -a --duration 1s -o /tmp/refused.data 2>&1)
	like "$said" "no symbol 'rt_watch_log_each'|is a per-CPU variable" "without CONFIG_KALLSYMS_ALL a module's per-CPU variable is refused"
fi

# One of the kernel itself, which every softirq changes.
name=
for one in __softirq_pending irq_stat; do
	[ "$name" ] || ! lists $one || name=$one
done
if [ "$name" ]; then
	said=$(ringtail record -e "mem:$name/2:w" -a -o $data -- sh -c "for cpu in $(echo $cpus); do
		taskset -p \$((1 << cpu)) \$\$ >/dev/null; sleep 0.3; done" 2>&1)
	is $? 0 "the kernel's $name is watched" || diag "$said"
	look
	ok "and it has hits" [ "$(wc -l </tmp/raw)" -ge 1 ]
	is "$(awk '{ print $2 }' /tmp/raw | sort -u | grep -c "^0x")" "$(echo "$cpus" | wc -l)" "in each CPU's copy" || diag "$(awk '{ print $2 }' /tmp/raw | sort | uniq -c | head)"
else
	skip "a per-CPU variable of the kernel" "this kernel lists none"
fi

said=$(ringtail record -e "mem:jiffies@1/8:w" -a --duration 1s -o /tmp/refused.data 2>&1)
like "$said" "only a per-CPU variable has a copy|no symbol 'jiffies'" "a variable that is not per-CPU has no copies"

ok "rt_watch_log unloads" rmmod rt_watch_log
ok "ringtail unloads" rmmod ringtail
done_testing
