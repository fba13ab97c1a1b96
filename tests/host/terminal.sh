#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# terminal - names from a recording cannot control the terminal: no control byte of a task's name, a
# path or a command line reaches it, whatever the command.  In a pipe the text is perf's, to the byte.

set -u
cd "$(dirname "$0")/../.." || exit 1
command=script
. tests/host/lib/command.sh

# A title, a colour, a return to the begin of the line, a C1 control character, a byte that is not
# UTF-8, and a character of three bytes, which is none of these.
title=$(printf '\033]0;owned\007')
bad=$(printf '\033[31m\r\302\233\377')
good=$(printf '\342\202\254')
cp "$(command -v bash)" "$dir/p$title$bad$good" || exit 1
cat >"$dir/named.sh" <<'SH'
printf '\033]0;x\007' >/proc/self/comm
"$1" -c 'for ((i = 0; i < 20000; i++)); do :; done'
i=0
while [ $i -lt 20000 ]; do i=$((i + 1)); done
SH
# The shell itself takes the name: its own /proc/self/comm.
perf record -q -e cpu-clock -F 20000 -o "$dir/names.data" -- sh -c ". '$dir/named.sh'" "a$title" "$dir/p$title$bad$good" \
	2>"$dir/err" || { cat "$dir/err"; echo "Bail out! perf cannot record"; exit 1; }
perf record -q -e sched:sched_switch -a -o "$dir/trace.data" -- sh -c ". '$dir/named.sh'" "a$title" "$dir/p$title$bad$good" \
	2>/dev/null || { echo "Bail out! perf cannot record tracepoints"; exit 1; }

# on_terminal COMMAND…: what it writes to a terminal, without the terminal's own carriage returns.
on_terminal() {
	local line
	line=$(printf '%q ' "$@")
	TERM=dumb script -qec "stty -onlcr; $line" /dev/null </dev/null
}
controls() { LC_ALL=C grep -acP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xff' "$1"; }

raw=0
for arguments in "script -i names.data" "script -i names.data --csv" "script -i names.data -D" "script -i names.data --compat" \
	"script -i names.data --show-task-events --show-mmap-events" "script -i names.data --header-only" \
	"script -i names.data --json" "script -i trace.data" "script -i trace.data --csv" "script -i names.data -F comm,trace,ip,sym,dso" \
	"report -i names.data --stdio -s comm,dso,sym" "report -i names.data --stdio --header" "report -i names.data --stdio --tasks" \
	"report -i names.data --stdio -T" "report -i names.data --stdio -g folded" "report -i names.data --stdio --compat" \
	"buildid-list -i names.data" "evlist -i names.data -v" "diff names.data names.data -s comm,dso" "flamegraph -i names.data --folded"; do
	# shellcheck disable=SC2086 # words
	(cd "$dir" && on_terminal bash -c "'$ringtail' $arguments 2>/dev/null") >"$dir/tty"
	# shellcheck disable=SC2086
	(cd "$dir" && "$ringtail" $arguments) >"$dir/pipe" 2>/dev/null
	[ "$(controls "$dir/pipe")" = 0 ] || raw=$((raw + 1))
	is "$(wc -l <"$dir/tty") $(controls "$dir/tty")" "$(wc -l <"$dir/pipe" | tr -d ' ') 0" "$arguments: all lines, and no control byte, on a terminal"
done
# The check above is worth something: in a pipe most of these print the bytes as they are.
ok "control bytes are in $raw of the outputs in pipes" test "$raw" -ge 8
(cd "$dir" && on_terminal "$ringtail" buildid-list -i names.data; on_terminal "$ringtail" script -i "$dir/names.data" --show-mmap-events) >"$dir/tty"
like "$(cat "$dir/tty")" "$good" "a character of several bytes stays on a terminal"

# In a pipe nothing changes.
for arguments in "-i names.data" "-i names.data --show-mmap-events --show-task-events" "-i trace.data"; do
	# shellcheck disable=SC2086
	is "$(cd "$dir" && "$ringtail" script -q --compat $arguments | sha256sum)" "$(cd "$dir" && perf script $arguments 2>/dev/null | sha256sum)" \
		"script --compat $arguments: perf's text in a pipe"
done

# Messages: an option with an escape sequence.
(cd "$dir" && on_terminal "$ringtail" script -i "no$title") >"$dir/tty" 2>&1
is "$(controls "$dir/tty")" 0 "nor does a message hold one"
(cd "$dir" && "$ringtail" script -i "no$title") 2>"$dir/err"
is "$(controls "$dir/err")" 1 "in a file it is as the user wrote it"

# A line longer than the buffer of a stream: characters of several bytes at its seams stay whole.
perf record -q -e cpu-clock -o "$dir/long.data" -- true "$(perl -e 'print "x\xe2\x82\xac" x 20000')" 2>/dev/null
on_terminal "$ringtail" script --header-only -i "$dir/long.data" >"$dir/tty"
is "$(LC_ALL=C grep -aoP 'x\xe2\x82\xac' "$dir/tty" | wc -l)" 20000 "20000 characters of several bytes in one line stay whole"

done_testing
