# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# cells.sh - run tests side by side and draw the table test × kernel at the end.
# A cell is one test on one kernel (or on the host).  Its log is judged as TAP.

cells_begin() { # LOG-DIRECTORY JOBS ONLY-PATTERN
	cells_dir=$1 cells_jobs=$2 cells_only=$3 cells_listing='' cells_asides=none
	mkdir -p "$(dirname "$cells_dir")"
	exec 8>>"$cells_dir.lock"
	flock -n 8 || {
		rt_say "another run writes to $cells_dir: wait for it, or use another clone"
		exit 2
	}
	rm -rf "$cells_dir"
	mkdir -p "$cells_dir"
	: >"$cells_dir/verdicts"
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

# Not the process group: what has a time limit has a group of its own.
cells_interrupted() {
	trap '' INT TERM
	# shellcheck disable=SC2046 # words are meant
	kill $(cells_descendants $$) 2>/dev/null
	wait
	exit 130
}

cells_selected() { # shellcheck disable=SC2053 # a pattern is meant
	[[ $1 == $cells_only || ${1%.sh} == $cells_only ]]
}

# What to show of a failed cell: the points that failed, with what they say, and the end.
cells_why() { # LOG
	awk '/^(ok|1\.\.)/ { failed = 0 } /^not ok/ { failed = 1 } failed' "$1" | head -n 40
	echo ...
	tail -n 12 "$1"
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
		printf '%s\t%s\t%s\t%s\n' "$test" "$where" "$v" "$reason" >>"$cells_dir/verdicts"
		case $v in
		pass) rt_say "  ok    $test on $where ($reason, $((SECONDS - began)) s)" ;;
		skip) rt_say "  skip  $test on $where: $reason" ;;
		fail | download)
			rt_say "  FAIL  $test on $where: $reason"
			cells_why "$log" | sed 's/^/        | /' >&2
			rt_say "        whole log: ${log#"$RT_TOP"/}"
			;;
		esac
	done <<<"$verdict"
	[[ $verdict == pass* || $verdict == skip* ]]
}

cells_wanted() { # TEST WHERE
	cells_selected "$1" || return 1
	[ -n "$cells_listing" ] || return 0
	echo "${1%.sh} on $2"
	return 1
}

# Queue a cell; at most cells_jobs run at once.
cell() { # TEST WHERE COMMAND…
	cells_wanted "$1" "$2" || return 0
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

# Run a cell that others stand on: alone, whatever --only says, and fail if it does.
cells_alone() { # TEST WHERE COMMAND…
	if [ -n "$cells_listing" ]; then
		echo "${1%.sh} on $2"
		return 0
	fi
	cells_wait_below 1
	cells_run "$@"
}

# The table, what was skipped and why, and the closing line.
cells_end() {
	local failed download
	[ -z "$cells_listing" ] || exit 0
	wait
	awk -F '\t' -f "$RT_TOP/scripts/lib/table.awk" "$cells_dir/verdicts"
	failed=$(awk -F '\t' '$3 == "fail"' "$cells_dir/verdicts" | wc -l)
	download=$(awk -F '\t' '$3 == "download"' "$cells_dir/verdicts" | wc -l)
	[ "$failed" = 0 ] || exit 1
	[ "$download" = 0 ] || exit "$RT_EXIT_DOWNLOAD"
	exit 0
}
