#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 default="@(5.10-*|6.1-*)"
#
# Who may open the device: root, or root's capabilities CAP_PERFMON or CAP_SYS_ADMIN.

. ./lib/tap.sh
. ./lib/module.sh

DAC_OVERRIDE=1
SYS_ADMIN=21
PERFMON=38

insmod $MODULE || exit 1

is "$(open-as 0 $SYS_ADMIN)" ok "root with nothing but CAP_SYS_ADMIN may"
if [ "$(cat /proc/sys/kernel/cap_last_cap)" -ge $PERFMON ]; then
	is "$(open-as 0 $PERFMON)" ok "root with nothing but CAP_PERFMON may"
	is "$(open-as 1000 $PERFMON)" EACCES "the file mode keeps a user with CAP_PERFMON out"
	is "$(open-as 1000 $PERFMON $DAC_OVERRIDE)" ok "unless it may override file modes"
else
	skip "CAP_PERFMON" "this kernel does not know it"
fi
is "$(open-as 0)" EPERM "root without capabilities may not"
is "$(open-as 0 $DAC_OVERRIDE)" EPERM "nor with others"
is "$(open-as 1000)" EACCES "a user may not"
is "$(open-as 1000 $DAC_OVERRIDE)" EPERM "nor one who may override file modes"
chmod 666 /dev/ringtail
is "$(open-as 1000)" EPERM "nor one whom the file mode would let in"
if open-as 0 --userns 2>&1 | grep -q 'unshare: Invalid argument'; then
	skip "nor the root of a user namespace" "user namespaces are switched off"
elif [ -e /proc/self/ns/user ]; then
	is "$(open-as 0 --userns)" EPERM "nor the root of a user namespace"
else
	skip "nor the root of a user namespace" "this kernel has no user namespaces"
fi
ok "unloads" rmmod ringtail

done_testing
