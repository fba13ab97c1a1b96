#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 icount=1 timeout=300 default="newest-*"
#
# Run the most expensive accepted filter over the worst text: one hit must not take more
# instructions than the checker calculated.

. ./lib/tap.sh

insmod /rt/ringtail.ko || exit
limits-program cost >/tmp/said
is $? 0 "a filter of many patterns is accepted up to its cost"
diag "$(cat /tmp/said)"
took=$(sed -n 's/.* took \([0-9]*\) .*/\1/p' /tmp/said)
allowed=$(sed -n 's/.* allowed \([0-9]*\) .*/\1/p' /tmp/said)
# The prices are those of the compilers of newer kernels; older ones may take a tenth more.
release_since 4 0 || allowed=$((allowed + allowed / 10))
ok "one hit takes $took instructions, at most $allowed are allowed" [ "${took:-0}" -le "${allowed:-0}" ]
# The prices must not be so high that the checker refuses cheap filters.
ok "and at least a twentieth of that" [ "$((${took:-0} * 20))" -ge "${allowed:-1}" ]
like "$(cat /tmp/said)" 'written 2 filtered 0' "the event was recorded"
ok "ringtail unloads" rmmod ringtail
done_testing
