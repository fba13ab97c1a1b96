# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034 # for tests
#
# session.sh - a command in a session of its own, interrupted as users and terminals do it.

# A shell starts background commands with INT ignored, which is undone here.
session_start() { # COMMAND…
	env --default-signal=INT setsid "$@" &
	session=$!
}

session_processes() { ps -o pid= -o args= -s "$session" | grep -v '<defunct>'; }

# Sets $status to what the command ended with, and $left to the processes that outlived the
# signal by ten seconds; those are killed.
session_interrupt() { # SIGNAL command|group
	local tries=0 pids
	if [ "$2" = group ]; then kill -s "$1" -- "-$session"; else kill -s "$1" "$session"; fi
	while left=$(session_processes) && [ $tries -lt 50 ]; do
		tries=$((tries + 1))
		sleep 0.2
	done
	mapfile -t pids < <(awk '{ print $1 }' <<<"$left")
	[ -z "$left" ] || kill -s KILL "${pids[@]}"
	wait "$session" 2>/dev/null
	status=$?
}
