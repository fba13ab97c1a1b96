#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 icount=1 timeout=600 default="newest-*"
#
# A watch in the 2000 threads of one process is armed and disarmed while another process forks: no fork, and no new
# task of another session, waits 10 ms longer than beside a program that only keeps the CPU busy.  A
# nanosecond is an instruction.

. ./lib/tap.sh

insmod /rt/ringtail.ko || exit
for how in '' watched; do
	what=${how:+ of a process that another session watches}
	# shellcheck disable=SC2086 # no argument if it is empty
	fork-beside 2000 $how >/tmp/waits
	is $? 0 "a fork$what: measured"
	diag "$(cat /tmp/waits)"
	busy=$(awk '$1 == "busy" { print $2 }' /tmp/waits)
	while read -r phase longest forks _; do
		case $phase in idle | busy | between) continue ;; esac
		ok "a fork$what, $phase: waits $longest ns at most ($forks forks), $busy beside a busy program" [ "$longest" -le $((busy + 10000000)) ]
	done </tmp/waits
	is "$(awk '$1 == "arm" { print ($3 > 0) }' /tmp/waits)" 1 "some forks were while the watch was armed"
done
ok "ringtail unloads" rmmod ringtail
done_testing
