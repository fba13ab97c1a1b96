#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1
#
# How ioctl arguments grow and how mistakes are refused.

. ./lib/module.sh

insmod $MODULE || exit 1
abi-check
