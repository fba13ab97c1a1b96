#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 default="newest-*"
#
# How ioctl arguments grow, how mistakes are refused, and when poll() wakes a reader.

. ./lib/tap.sh
. ./lib/module.sh

insmod $MODULE || exit 1
tap_of abi-check
tap_of abi-calls
tap_of poll-check
done_testing
