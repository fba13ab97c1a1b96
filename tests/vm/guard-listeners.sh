#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 mem=512 icount=1 timeout=300 default="newest-*"
#
# What sessions add to a stranger's mmap() of code, in instructions; and the limit of sessions, which bounds it.

. ./lib/tap.sh

insmod /rt/ringtail.ko || exit

many-listeners 0 1 8 64 65 64 >/tmp/said
is $? 0 "sessions listen"
diag "$(cat /tmp/said)"
cost() { sed -n "s/^$1 \([0-9]*\)$/\1/p" /tmp/said | head -n 1; }
none=$(cost 0) one=$(cost 1) most=$(cost 64)
like "$(cat /tmp/said)" '^65 refused 116 64$' "the 65th is refused, with the reason and the limit"
is "$(tail -n 1 /tmp/said | cut -d ' ' -f 1)" 64 "and those that there are go on"
# The hook and the lookup of the path cost the same however many listen; each gets its copy of the record.
each=$(((most - one) / 63))
ok "one session adds $((one - none)) instructions to $none, each further one $each: at most 400" test $each -le 400
ok "64 sessions add $((most - none)), less than twice the call itself" test $((most - none)) -lt $((none * 2))

echo 65 >/sys/module/ringtail/parameters/sessions_max
like "$(many-listeners 65)" '^65 [0-9]+$' "with a higher limit there are more"
echo 1 >/sys/module/ringtail/parameters/sessions_max
ringtail record -q -a -e sched:sched_process_exit -o /tmp/one.data --duration 60s &
until ringtail doctor | grep -q '1 of at most 1 sessions'; do usleep 200000; done
ok "doctor shows the number" true
said=$(ringtail record -a -e sched:sched_process_exit -o /tmp/two.data -- true 2>&1)
is $? 1 "one too many is refused"
like "$said" 'cannot set up the rings: 1 sessions are recording.*sessions_max' "with the reason and what to do"
is "$(printf '%s\n' "$said" | wc -l)" 1 "in one line"
kill %1 2>/dev/null || kill $!
wait $!
like "$(ringtail doctor)" '0 of at most 1 sessions' "a session that ends makes room"
ok "ringtail unloads" rmmod ringtail
done_testing
