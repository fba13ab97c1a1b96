#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" smp=2 timeout=300 default="6.1-*"
#
# A process does not let go of its mmap lock while user probes are armed or disarmed in it.

. ./lib/tap.sh

insmod /rt/ringtail.ko || exit
insmod /rt/modules/rt_hold.ko || exit
tap_of uprobe-stuck
ok "rt_hold unloads" rmmod rt_hold
done_testing
