#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="debug-*" smp=2 timeout=900 default="6.1-*"
#
# Whoever is killed while user probes are armed or disarmed, no breakpoint stays in another program: the
# instructions are read in the memory of bystanders.

. ./lib/tap.sh

rounds=3
[ "$RT_LEVEL" = default ] || rounds=30
insmod /rt/ringtail.ko || exit
tap_of uprobe-killed $rounds
ok "ringtail unloads" rmmod ringtail
done_testing
