# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# cells.sh - run tests side by side and draw the table test × kernel at the end.
# A cell is one test on one kernel (or on the host).  Its log is judged as TAP.

cells_begin() { # LOG-DIRECTORY JOBS ONLY-PATTERN [REPEATS]
	cells_dir=$1 cells_jobs=$2 cells_only=$3 cells_repeats=${4:-0} cells_listing='' cells_asides=none
	declare -gA cells_commands=()
	mkdir -p "$(dirname "$cells_dir")"
	exec 8>>"$cells_dir.lock"
	flock -n 8 || {
		rt_say "another run writes to $cells_dir: wait for it, or use another clone"
		exit 2
	}
	# The record of earlier runs stays.
	mkdir -p "$cells_dir"
	find "$cells_dir" -mindepth 1 -maxdepth 1 ! -name record.tsv -exec rm -rf {} +
	: >"$cells_dir/verdicts"
	RT_CHECK_RUN=$$.$(date +%s%N)
	export RT_CHECK_RUN
	trap 'cells_interrupted' INT TERM
}

# Instead of cells_begin: nothing is run, and no log touched.
cells_only_list() { # ONLY-PATTERN
	cells_only=$1 cells_listing=1
}

cells_descendants() { # PID
	local child
	for child in $(pgrep -P "$1"); do
		cells_descendants "$child"
		echo "$child"
	done
}

# All processes of this run.  Not the process group: a command with a time limit has a group of its
# own.  Not the descendants alone: a process whose parent has ended is nobody's descendant, but it
# still carries the name of the run in its environment.
cells_processes() {
	{
		cells_descendants $$
		grep -lzx "RT_CHECK_RUN=$RT_CHECK_RUN" /proc/[0-9]*/environ 2>/dev/null | tr -dc '0-9\n'
	} | grep -vxF -e $$ -e $BASHPID | sort -u
}

# Ask every process to end, for three seconds; then kill whatever is left.
cells_interrupted() {
	local tries=0 signal=TERM pids
	trap '' INT TERM
	rt_say "interrupted: ending the tests that run"
	while [ $tries -lt 40 ]; do
		mapfile -t pids < <(cells_processes)
		# The list always has its own, short-lived processes in it.
		kill -s $signal "${pids[@]}" 2>/dev/null || break
		tries=$((tries + 1))
		[ $tries -lt 15 ] || signal=KILL
		sleep 0.2
	done
	wait
	exit 130
}

cells_selected() { # TEST [WHERE]
	# shellcheck disable=SC2053 # a pattern is meant
	[[ $1 == $cells_only || ${1%.sh} == $cells_only ]] || return 1
	[ $# = 1 ] || [ -z "${part_of-}" ] || [ -n "${part_cells[${1%.sh} on $2]-}" ]
}

# Is there a test with such a name in what is to be run?
cells_any() { # PATTERN WHERE
	local cell
	[ -n "${part_of-}" ] || { cells_selected "$1"; return; }
	for cell in "${!part_cells[@]}"; do # shellcheck disable=SC2053 # a pattern is meant
		[[ $cell == $1" on $2" ]] && return 0
	done
	return 1
}

# What to show of a failed cell: the points that failed, with what they say, and the end.  If the
# kernel spoke, its first lines say most: show all that the lab printed of it.
cells_why() { # LOG
	local lines=12
	awk '/^(ok|1\.\.)/ { failed = 0 } /^not ok/ { failed = 1 } failed' "$1" | head -n 40
	echo ...
	if grep -q '^vm: .*: FAILED, the kernel printed' "$1"; then
		lines=60
	fi
	tail -n $lines "$1"
}

cells_show_failure() { # TEST WHERE REASON
	local log=$cells_dir/$2/$1.log
	rt_say "  FAIL  $1 on $2: $3"
	cells_why "$log" | sed 's/^/        | /' >&2
	rt_say "        whole log: ${log#"$RT_TOP"/}"
}

# What a kernel complained about is never repeated, nor is what has been repeated.
cells_repeatable() { # TEST WHERE
	[ "$cells_repeats" -gt 0 ] && [ -n "${cells_commands[$1 $2]-}" ] && [ ! -e "$cells_dir/$2/$1.first.log" ] &&
		! grep -q '^vm: .*: FAILED, the kernel printed' "$cells_dir/$2/$1.log"
}

# Run one cell and write its verdict; a single short line is appended atomically.
cells_run() { # TEST WHERE COMMAND…
	local test=${1%.sh} where=$2 log status verdict began=$SECONDS
	shift 2
	log=$cells_dir/$where/$test.log
	mkdir -p "$(dirname "$log")"
	"$@" >"$log" 2>&1 </dev/null 8>&-
	status=$?
	if [ $status = "$RT_EXIT_DOWNLOAD" ]; then
		verdict=$'download\tdownload failed'
	else
		verdict=$(awk -v status=$status -f "$RT_TOP/scripts/lib/tap.awk" "$log")
	fi
	while IFS=$'\t' read -r v reason; do
		printf '%s\t%s\t%s\t%s\t%d\n' "$test" "$where" "$v" "$reason" $((SECONDS - began)) \
			>>"$cells_dir/verdicts"
		case $v in
		pass) rt_say "  ok    $test on $where ($reason, $((SECONDS - began)) s)" ;;
		skip) rt_say "  skip  $test on $where: $reason" ;;
		fail | download)
			if [ "$v" = fail ] && cells_repeatable "$test" "$where"; then
				rt_say "  later $test on $where is repeated at the end: $reason"
			else
				cells_show_failure "$test" "$where" "$reason"
			fi
			;;
		esac
	done <<<"$verdict"
	[[ $verdict == pass* || $verdict == skip* ]]
}

cells_wanted() { # TEST WHERE
	cells_selected "$1" "$2" || return 1
	[ -n "$cells_listing" ] || return 0
	echo "${1%.sh} on $2"
	return 1
}

# Queue a cell; at most cells_jobs run at once.
cell() { # TEST WHERE COMMAND…
	cells_wanted "$1" "$2" || return 0
	cells_commands[${1%.sh} $2]=$(printf '%q ' "$@")
	cells_wait_below "$cells_jobs"
	cells_run "$@" &
}

# Until fewer than N run, beside what runs aside.
cells_wait_below() { # N
	# Counted anew each time: `wait -n` also returns for what is no cell, a substituted process.
	while [ "$(jobs -rp | grep -cvxF "$cells_asides")" -ge "$1" ]; do wait -n; done
}

# Queue a cell that ends with its time and not with its work: these run aside, one after
# another, nice to all others, and take nobody's place.
cell_aside() { # TEST WHERE COMMAND…
	cells_wanted "$1" "$2" || return 0
	(
		flock 9
		renice -n 5 -p $BASHPID >/dev/null
		cells_run "$@" 9>&-
	) 9>>"$cells_dir/aside" &
	cells_asides+=$'\n'$!
}

# Begin something that is no cell, but that cells will want: aside, too.
cells_ahead() { # COMMAND…
	[ -z "$cells_listing" ] || return 0
	"$@" >/dev/null 2>&1 </dev/null 8>&- &
	cells_asides+=$'\n'$!
}

# Run a cell that others stand on, whatever --only says: wait for it, and fail if it does.  Those
# queued before go on beside it.
cells_base() { # TEST WHERE COMMAND…
	if [ -n "$cells_listing" ]; then
		echo "${1%.sh} on $2"
		return 0
	fi
	cells_wait_below "$cells_jobs"
	# In the background: bash handles a signal during `wait`, but not while a command runs in front.
	cells_run "$@" &
	wait $!
}

# A failure of a few cells may come from what ran beside them.  Run each once more, alone: one that
# passes then is listed as unsteady, with its first log kept, and does not fail the run.  More than
# $cells_repeats failures are no accident: they are shown as they are.
cells_repeat() {
	local test where reason log first
	first=$(awk -F '\t' '$3 == "fail"' "$cells_dir/verdicts")
	[ -n "$first" ] || return 0
	while IFS=$'\t' read -r test where _ reason _ <&3; do
		cells_repeatable "$test" "$where" || continue
		if [ "$(wc -l <<<"$first")" -gt "$cells_repeats" ]; then
			cells_show_failure "$test" "$where" "$reason"
			continue
		fi
		log=$cells_dir/$where/$test.log
		mv "$log" "${log%.log}.first.log"
		awk -F '\t' -v t="$test" -v w="$where" '$1 != t || $2 != w' "$cells_dir/verdicts" >"$cells_dir/others"
		mv "$cells_dir/others" "$cells_dir/verdicts"
		rt_say "  again $test on $where, alone"
		eval "cells_run ${cells_commands[$test $where]}" &
		! wait $! || printf '%s\t%s\tunsteady\t%s\t0\n' "$test" "$where" "$reason" >>"$cells_dir/verdicts"
	done 3<<<"$first"
}

# The table, what was skipped and why, and the closing line.
cells_end() {
	local failed download
	[ -z "$cells_listing" ] || exit 0
	wait
	cells_repeat
	awk -F '\t' -v took=$SECONDS -f "$RT_TOP/scripts/lib/table.awk" "$cells_dir/verdicts"
	[ -z "${record-}" ] || parts_record "${part_of:-${level-}}" "$cells_dir/verdicts" "$SECONDS" "$cells_dir/record.tsv"
	failed=$(awk -F '\t' '$3 == "fail"' "$cells_dir/verdicts" | wc -l)
	download=$(awk -F '\t' '$3 == "download"' "$cells_dir/verdicts" | wc -l)
	[ "$failed" = 0 ] || exit 1
	[ "$download" = 0 ] || exit "$RT_EXIT_DOWNLOAD"
	exit 0
}
