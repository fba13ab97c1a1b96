#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="*" arch=arm64 smp=2 timeout=900 append="panic_on_warn=1" default="@(6.1-*|newest-*)"
#
# Loops of exclusives with random instructions between load and store: a watch changes nothing that they
# compute, and records each.

# shellcheck disable=SC2154 # of watch.sh
. ./lib/tap.sh
. ./lib/watch.sh

insmod /rt/ringtail.ko || exit
count=300
[ "$RT_LEVEL" = default ] || count=3000
seed=$(date +%s)
diag "seed $seed"

# loops KIND ACCESS: the program's last line in $told, the closing lines in $said.
loops() {
	rm -f /tmp/go
	mkfifo /tmp/go
	watched-loops "$1" "$seed" "$count" </tmp/go >/tmp/told &
	program=$!
	exec 8>/tmp/go
	: >/tmp/said
	until grep -q ready /tmp/told; do usleep 50000; done
	ringtail record -e "mem:$(head -n 1 /tmp/told)/8:$2" -p $program -m 8M -o $data 2>/tmp/said &
	agent=$!
	until grep -q 'recording to' /tmp/said; do usleep 50000; done
	echo go >&8
	wait $program
	exec 8>&-
	kill -INT $agent 2>/dev/null
	wait $agent
	told=$(tail -n 1 /tmp/told)
	said=$(cat /tmp/said)
	told_of() { echo "$told" | sed "s/.*$1 \([0-9]*\).*/\1/"; }
	like "$told" '^loops .* different 0 ' "$1, $2: all loops compute what they did unwatched" ||
		diag "$(head -n 60 /tmp/told)"
	ok "$1, $2: most of them were run ($told)" [ "$(told_of skipped)" -lt $((count / 10)) ]
	perf_events -i $data 2>/dev/null | sed -n 's/.* rw=\([^ ]*\) .* flags=\(.*\)$/\1 -\2/p' >/tmp/all
}

for access in rw r w; do
	loops known $access
	unlike "$said" 'not watched' "known, $access: the watch was never off" || diag "$said"
	case $access in
	rw) is "$(grep -c '^w -$' /tmp/all)" "$(told_of runs)" "known, rw: each is recorded once, with its values" ;;
	r) is "$(wc -l </tmp/all)" "$(told_of runs)" "known, r: each is recorded once" ;;
	w) is "$(grep -c '^w -$' /tmp/all)" "$(told_of runs)" "known, w: each is recorded once, with its values" ;;
	esac
	loops any $access
	diag "$(echo "$said" | grep 'not watched')"
done

ok "ringtail unloads" rmmod ringtail
done_testing
