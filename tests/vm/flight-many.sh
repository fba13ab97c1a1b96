#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=16 turns=1 mem=768 timeout=900 heavy=1 level=all
#
# Snapshots of a flight on a machine with sixteen CPUs while all of them write.

. ./lib/tap.sh
. ./lib/record.sh
. ./lib/flight-busy.sh

cpus=$(nproc)
insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_crash.ko || exit
ok "a flight on $cpus CPUs" busy_flight $((cpus * 128))K
like "$(ringtail flight status)" "1 event on $cpus CPUs" "status counts them"
is "$(busy_snapshots "$cpus" 3)" "" "snapshots while all CPUs write: each number once, none torn, up to what was counted"
is "$(busy_last)" "$(cat /proc/rt_crash)" "and exactly to it when they have stopped"
ok "it stops" ringtail flight stop -q busy
ok "ringtail unloads" rmmod rt_crash ringtail
done_testing
