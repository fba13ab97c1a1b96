#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 icount=1 mem=2048 timeout=900 default="newest-*"
#
# Programs that make system calls as fast as they can share the only CPU with the recorder.  It raises its
# priority before a ring is full, so that nothing is lost, and lowers it again.  At a rate that the rings
# hold easily it does not.

. ./lib/tap.sh

case $(uname -m) in
aarch64) nr=173 ;;
x86_64) nr=110 ;;
esac

insmod /rt/ringtail.ko || exit

# record RING COMMAND…
record() {
	room=$1
	shift
	rm -f /tmp/nice
	ringtail record -a -e raw_syscalls:sys_enter --filter "id == $nr" -m "$room" -o /tmp/data -- "$@" >/tmp/did 2>/tmp/said
	is $? 0 "$room, $*: status" || diag "$(cat /tmp/said)"
	written=$(sed -n 's/.*: \([0-9]*\) events written.*/\1/p' /tmp/said)
	lost=$(sed -n 's/.* \([0-9]*\) lost.*/\1/p' /tmp/said | head -n 1)
}

# In a small ring the first moments decide; a large one fills while each of many programs has its turn.
# Each recording but the first two replaces a large old one, whose memory must be freed.
for storm in "512K 1" "512K 4" "512K 64" "8M 16"; do
	record "${storm% *}" rt_bench_storm "${storm#* }" 1
	is "$written $lost" "$(cat /tmp/did) 0" "${storm#* } programs, rings of ${storm% *}: all is written"
done

# For commands: the nice value of ringtail, their parent
# shellcheck disable=SC2016 # for the command
priority='cut -d " " -f 19 /proc/$PPID/stat >>/tmp/nice'

record 512K sh -c "rt_bench_storm 4 0.5; $priority; sleep 2; $priority"
is "$(cat /tmp/nice)" "-20
0" "the priority is raised in a storm, and lowered afterwards"

# A thousand events and more every tenth of a second.  Each recording begins with a high priority: do not look in the
# first two seconds.  From the beginning, because if a ring that was empty for long is half full, a storm may have begun.
record 512K sh -c "for i in \$(seq 40); do rt_bench_storm 1 0.001; [ \$i -le 20 ] || $priority; usleep 100000; done"
is "$(sort -u /tmp/nice)" 0 "a calm recording has the usual priority"
is "$lost" 0 "and loses nothing"
ok "its events are some" test "$written" -gt 20000

ok "ringtail unloads" rmmod ringtail
done_testing
