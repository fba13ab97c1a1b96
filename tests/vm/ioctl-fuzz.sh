#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="*" smp=2 mem=1024 timeout=240 box=1 default="newest-*"
#
# Fuzz every call with every kind of argument from several threads, while CPUs go offline and
# online and the probed module is unloaded and loaded: the kernel reports no error, nothing stays
# armed, and the module unloads.

. ./lib/tap.sh

# CPUs go offline and online in the longer runs only; tests of the sources do it at every level.
[ "${RT_SECONDS:-60}" -gt 60 ] || export RT_NO_HOTPLUG=1

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_play.ko || exit

# Unload and load the probed module as long as the fuzzer runs.
: >/tmp/fuzzing
(
	while [ -e /tmp/fuzzing ]; do
		echo number 20 >/proc/rt_play
		# A thread that is registering a probe in it holds a reference: try again later.
		rmmod rt_play 2>/dev/null && echo unloaded && insmod /rt/modules/rt_play.ko
		usleep 200000
	done
) >/tmp/unloading &
unloading=$!

# shellcheck disable=SC2086 # no seed, no word
ok "the fuzzer finds nothing amiss" ioctl-fuzz $RT_SEED
rm /tmp/fuzzing
wait $unloading
like "$(cat /tmp/unloading)" unloaded "the probed module could go and come all the while"
diag "$(wc -l </tmp/unloading) times"
is "$(wc -l </sys/kernel/debug/kprobes/list)" 0 "no probe is left"
ok "rt_play unloads" rmmod rt_play
ok "ringtail unloads" rmmod ringtail
ok "and loads again" insmod /rt/ringtail.ko
ok "and unloads" rmmod ringtail
done_testing
