#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# probe-values-guest.sh - the part of probe-values that runs in a guest: ringtail and perf record the same places at
# the same time.  /share/ours and /share/theirs have a line for each: NAME PLACE VALUE….

# shellcheck disable=SC2154 # of record.sh
cd /rt/tests || exit
. ./lib/tap.sh
. ./lib/record.sh

insmod /rt/ringtail.ko || exit
cat >/tmp/work <<'END'
mkdir /tmp/d && cd /tmp/d || exit
i=0
while [ $i -lt 3 ]; do
	i=$((i + 1))
	mkdir a
	cat /etc/passwd /proc/self/status /proc/meminfo >a/f
	cp a/f a/g
	mv a/g a/h
	ln a/h a/i
	ln -s h a/j
	ls -l a >/dev/null
	chmod 600 a/h
	dd if=a/f of=a/k bs=100 count=4 seek=1 2>/dev/null
	sort a/f | head -n 3 | wc -c >/dev/null
	usleep 1000
	sh -c 'trap : USR1; kill -USR1 $$'
	rm -r a
done
rt-send >/dev/null
END
# A place that the kernel refuses for perf is left out for both.
while read -r name place values; do
	# shellcheck disable=SC2086 # values are words
	if echo "p:rt_test/$name" $place $values >>$TRACING/kprobe_events 2>/dev/null; then
		echo "$name" >>/tmp/names
	fi
done </share/theirs
perf_list=$(sed 's/.*/-e rt_test:&/' /tmp/names | tr '\n' ' ')
while read -r name rest; do
	! grep -qx "$name" /tmp/names || echo "kprobe:$name=$rest"
done </share/ours >/tmp/ours
set -- -m 8M
while read -r event; do set -- "$@" -e "$event"; done </tmp/ours
diag "$(wc -l </tmp/names) places"
# shellcheck disable=SC2086 # options
said=$(perf record -q -m 2048 -a $perf_list -o /tmp/by-perf.data -- ringtail record -o /tmp/perf.data "$@" -- sh /tmp/work 2>&1)
is $? 0 "both record" || diag "$said"
like "$said" ' 0 lost' "ringtail lost nothing" || diag "$said"
is "$(perf report -i /tmp/by-perf.data --stats 2>/dev/null | grep -c LOST)" 0 "perf lost nothing"
# The host compares.
perf_events -F comm,tid,event,trace -i /tmp/perf.data >/results/ours 2>/dev/null
perf_events -F comm,tid,event,trace -i /tmp/by-perf.data >/results/theirs 2>/dev/null
ok "there are texts" test -s /results/ours -a -s /results/theirs
done_testing
