#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# No process and no scratch is left behind when a run is interrupted, and not even
# QEMU is when it is killed.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh

case $(uname -m) in aarch64) kernel=6.1-arm64 ;; *) kernel=6.1-x86_64 ;; esac
cache=${RINGTAIL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ringtail}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

scripts/vm build $kernel >/dev/null || exit 1

# Every process of the session that setsid made for the run.
family() { ps -o pid= -o args= -s "$1" | grep -v '<defunct>'; }

# interrupt SIGNAL TARGET: boot, wait for the command to say something, signal the script
# alone or, as a terminal does, the whole group.  (A shell starts background commands with
# INT ignored, which is undone here.)
interrupt() {
	local tries=0
	: >"$work/out"
	env --default-signal=INT setsid scripts/vm run $kernel -- 'echo running; sleep 1000' >"$work/out" 2>"$work/err" &
	pid=$!
	until grep -q running "$work/out" || [ $tries -gt 600 ]; do
		tries=$((tries + 1))
		sleep 0.2
	done
	scratch=$(echo "$cache"/tmp/vm."$pid".*)
	like "$(family $pid)" 'qemu-system' "a guest runs before $1"
	if [ "$2" = group ]; then kill -s "$1" -- -$pid; else kill -s "$1" $pid; fi
	wait $pid 2>/dev/null
	status=$?
	tries=0
	while [ -n "$(family $pid)" ] && [ $tries -lt 25 ]; do
		tries=$((tries + 1))
		sleep 0.2
	done
	is "$(family $pid)" '' "no process is left after $1"
}

interrupt INT group
is $status 130 "an interrupted run ends with 130"
fails "its scratch is gone" [ -e "$scratch" ]
interrupt TERM script
is $status 143 "a terminated run ends with 143"
fails "its scratch is gone" [ -e "$scratch" ]
interrupt KILL script
rm -rf "$scratch"

done_testing
