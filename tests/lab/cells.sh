#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The runner of the tests: what it makes of a test's log, of a second run in the same tree, and of
# being interrupted.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/session.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
logs=$work/logs

# A run of what stdin says, in the words of scripts/check.
cat >"$work/head" <<'EOF'
. scripts/lib/setup.sh
. scripts/lib/cells.sh
tap() { printf '%b' "$1"; }
ends() { tap "$1"; return "$2"; }
EOF
script() { cat "$work/head" - >"$work/$1.sh"; } # NAME
run() {						# NAME: sets $out, $status
	out=$(bash -u "$work/$1.sh" 2>&1)
	status=$?
}
verdict() { awk -F '\t' -v t="$1" '$1 == t && $3 != "partly" { print $3 ": " $4 }' "$logs/verdicts"; }
closing() { printf '%s\n' "$out" | tail -n 1; }

script verdicts <<EOF
cells_begin $logs 2 '*'
cell good host tap 'ok 1 - a\nok 2 - b\n1..2\n'
cell bad host tap 'ok 1 - a\nnot ok 2 - b\nnot ok 3 - c\n1..3\n'
cell early host tap 'ok 1 - a\n'
cell fewer host tap 'ok 1 - a\n1..2\n'
cell nothing host tap '1..0\n'
cell skips host tap '1..0 # SKIP no such thing here\n'
cell partly host tap 'ok 1 - a\nok 2 - b # SKIP not on Sundays\n1..2\n'
cell dies 6.1-arm64 ends 'ok 1 - a\n1..1\n' 70
cell net 6.1-arm64 ends '' 75
cells_end
EOF
run verdicts
is $status 1 "a run with failures fails"
is "$(verdict good)" 'pass: 2 points' "all points made"
is "$(verdict bad)" 'fail: b (and 1 more)' "points that failed, the first by name"
is "$(verdict early)" 'fail: ended without a plan' "an early end"
is "$(verdict fewer)" 'fail: planned 2 points, made 1' "fewer points than planned"
is "$(verdict nothing)" 'fail: checked nothing' "no points at all"
is "$(verdict skips)" 'skip: no such thing here' "a skip, with its reason"
is "$(verdict partly)" 'pass: 2 points' "a point skipped among others"
is "$(verdict dies)" 'fail: exit status 70' "all points made, but a status"
is "$(verdict net)" 'download: download failed' "a download that failed"
like "$out" '^dies +(\. +)?FAIL( +\.)?$' "the table: a row for the test, a column for the kernel"
like "$out" '^took [0-9]+:[0-9][0-9]; seconds of tests, several at a time: (host|6.1-arm64) [0-9]+, (host|6.1-arm64) [0-9]+$' \
	"the time of the run, and of each kernel's tests"
like "$out" '^  skips on host: no such thing here$' "the table names skips"
like "$out" '^  partly on host: b: not on Sundays$' "and skipped points"
is "$(closing)" '2 passed, 6 failed, 1 skipped' "the closing line"

# Fails, and the next time passes.
cat >>"$work/head" <<EOF
second() { if [ -e "$work/tried.\$1" ]; then tap 'ok 1 - a\n1..1\n'; else touch "$work/tried.\$1"; tap "not ok 1 - a\n1..1\n\${2-}"; fi; }
EOF
script repeated <<EOF
cells_begin $logs 2 '*' 3
cell good host tap 'ok 1 - a\n1..1\n'
cell unsteady host second unsteady
cell bad host tap 'not ok 1 - a\n1..1\n'
cell complaint host second complaint 'vm: 6.1-arm64: FAILED, the kernel printed this\n'
cells_end
EOF
run repeated
is "$status: $(closing)" '1: 2 passed, 2 failed, 0 skipped' "failures are repeated, but not the kernel's complaints"
is "$(verdict bad)" 'fail: a' "what fails twice fails, once"
is "$(verdict complaint)" 'fail: a' "what the kernel complained about fails"
like "$out" '^  unsteady on host: a$' "what failed only at first is listed"
like "$out" '^1 unsteady$' "and counted"
is "$(grep -c '^not ok' "$logs/host/unsteady.first.log")" 1 "its first log is kept"
is "$(grep -E '^  (later|FAIL)' <<<"$out" | sort | sed 's/^ *//')" \
	"$(printf '%s\n' 'FAIL  bad on host: a' 'FAIL  complaint on host: a' \
		'later bad on host is repeated at the end: a' 'later unsteady on host is repeated at the end: a')" \
	"what failed is shown when that is decided, once"
rm -f "$work"/tried.*
script passes <<EOF
cells_begin $logs 2 '*' 3
cell unsteady host second unsteady
cells_end
EOF
run passes
is "$status: $(closing)" '0: 1 passed, 0 failed, 0 skipped' "a run with unsteady tests passes"
script many <<EOF
cells_begin $logs 2 '*' 3
for i in 1 2 3 4; do cell many\$i host second \$i; done
cells_end
EOF
run many
is "$status: $(closing)" '1: 0 passed, 4 failed, 0 skipped' "many failures are not repeated"
is "$(grep -c '^  FAIL  many[1-4] on host: a$' <<<"$out")" 4 "but all are shown"

script downloads <<EOF
cells_begin $logs 2 '*'
cell good host tap 'ok 1 - a\n1..1\n'
cell net host ends '' 75
cells_end
EOF
run downloads
is $status 75 "nothing but downloads failed: a status of its own"

script selected <<EOF
cells_begin $logs 2 'g*'
cell good host tap 'ok 1 - a\n1..1\n'
cell bad host tap 'not ok 1 - a\n1..1\n'
cells_end
EOF
run selected
is "$status: $(closing)" '0: 1 passed, 0 failed, 0 skipped' "a pattern selects"

script listed <<EOF
cells_only_list '*'
cell good host touch $work/ran
cells_base built host touch $work/ran
cell_aside aside host touch $work/ran
cells_ahead touch $work/ran
cells_end
EOF
state() { find "$logs" -printf '%p %T@\n' | sort; }
before=$(state)
run listed
is "$out" $'good on host\nbuilt on host\naside on host' "a list names what would run"
fails "and runs nothing" [ -e "$work/ran" ]
is "$(state)" "$before" "nor touches the logs"

# Tests that would go on for an hour: plain, with a time limit (which has a process group of its
# own), and aside, where the second waits for the first.
script endless <<EOF
cells_begin $logs 3 '*'
cell plain host sh -c 'echo >>$work/begun; sleep 3601.$$; :'
cell limited host timeout 3602 sh -c 'echo >>$work/begun; sleep 3602.$$; :'
cell_aside aside host sh -c 'echo >>$work/begun; sleep 3603.$$; :'
cell_aside waits host sh -c 'echo >>$work/begun; sleep 3604.$$; :'
cells_end
EOF
# A build that ignores signals, and a part of it that has left its parent and its session.
script building <<EOF
cells_begin $logs 3 '*'
cells_base build host sh -c 'trap "" INT TERM; (setsid sh -c "echo >>$work/begun; sleep 3605.$$; :" &)
	echo >>$work/begun; while :; do sleep 1; done'
cells_end
EOF
begun() { wc -l <"$work/begun"; }

interrupt() { # SCRIPT COUNT SIGNAL command|group
	local tries=0
	: >"$work/begun"
	session_start bash -u "$work/$1.sh" >"$work/out" 2>&1
	while [ "$(begun)" -lt "$2" ] && [ $tries -lt 100 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	is "$(begun)" "$2" "$1, before $3: $2 commands run"
	run selected
	is "$status: $out" "2: another run writes to $logs: wait for it, or use another clone" "a second run is refused"
	session_interrupt "$3" "$4"
	is "$status: $left" '130: ' "$1, after $3: no process is left"
	is "$(pgrep -f "sleep 360[1-5].$$")" '' "nor one in a session of its own"
}
interrupt endless 3 TERM command
interrupt endless 3 INT group
interrupt building 2 TERM command
interrupt building 2 INT group

run selected
is $status 0 "then the next run is let in"

done_testing
