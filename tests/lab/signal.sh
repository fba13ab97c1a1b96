#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# No process and no scratch is left behind when a run is interrupted, and not even
# QEMU is when it is killed.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/session.sh

# One of those that check has by default.
case $(uname -m) in aarch64) kernel=5.10-arm64 ;; *) kernel=5.10-x86_64 ;; esac
cache=${RINGTAIL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ringtail}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

scripts/vm build $kernel >/dev/null || exit 1

# Boot, wait for the command to say something, then the signal.
interrupt() { # SIGNAL command|group
	local tries=0
	: >"$work/out"
	session_start scripts/vm run $kernel -- 'echo running; sleep 1000' >"$work/out" 2>"$work/err"
	until grep -q running "$work/out" || [ $tries -gt 600 ]; do
		tries=$((tries + 1))
		sleep 0.2
	done
	scratch=$(echo "$cache"/tmp/vm."$session".*)
	like "$(session_processes)" 'qemu-system' "a guest runs before $1"
	session_interrupt "$1" "$2"
	is "$left" '' "no process is left after $1"
}

interrupt INT group
is $status 130 "an interrupted run ends with 130"
fails "its scratch is gone" [ -e "$scratch" ]
interrupt TERM command
is $status 143 "a terminated run ends with 143"
fails "its scratch is gone" [ -e "$scratch" ]
interrupt KILL command
rm -rf "$scratch"

done_testing
