#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=2 timeout=300 default="6.1-*"
#
# Breakpoints that the kernel cannot remove: the module has it try again, and names those that stay; so
# does doctor, also when the module is gone.

. ./lib/tap.sh

insmod /rt/ringtail.ko || exit
# Bit 7: RT_SOURCE_SEMAPHORE.
module_offers 7 || skip_all "this kernel raises no semaphores, so it is not known how to make it fail"

breakpoints() { ringtail doctor | grep ' breakpoints '; }

like "$(breakpoints)" 'ok +breakpoints +no program has one in its code' "at first no program has a breakpoint"

mkfifo /tmp/go
uprobe-left stay </tmp/go >/tmp/said &
probed=$!
exec 8>/tmp/go
until [ "$(wc -l </tmp/said)" = 3 ] || [ ! -d /proc/$probed ]; do usleep 20000; done
is "$(sed -n 1p /tmp/said)" "armed 1" "a breakpoint is set"
is "$(sed -n 2p /tmp/said)" "left 1 told 1" "the kernel cannot remove it, and the log names the file and the offset"
read -r pid offset <<-END
	$(sed -n 3p /tmp/said)
END
like "$(dmesg)" "/probed-code\\+0x$offset is removed, but process $pid still has a breakpoint there" "and the process"
named="note +breakpoints +process $pid \\(uprobe-left\\) has 1, the first at /probed-code\\+0x$offset:"
like "$(breakpoints)" "$named" "doctor names it"
ok "ringtail unloads" rmmod ringtail
like "$(breakpoints)" "$named" "doctor names it without the module"
ok "ringtail loads" insmod /rt/ringtail.ko
echo >&8
exec 8>&-
wait $probed
is "$(tail -n 1 /tmp/said)" "left 0" "registering and unregistering it once more removes it"

uprobe-left toggle 200 >/tmp/said
diag "$(cat /tmp/said)"
read -r _ left _ told </tmp/said
is "$told" "$left" "a semaphore that changes all the time: each breakpoint that stays is in the log"
like "$(breakpoints)" 'ok +breakpoints' "the program is gone"
ok "ringtail unloads" rmmod ringtail
done_testing
