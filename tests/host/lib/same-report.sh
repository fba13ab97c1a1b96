# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154 # of command.sh
#
# same-report.sh - compare the tables of perf and ringtail.  Needs tap.sh and corpus.sh, and a directory
# for files in $dir.

# perf opens objects in the mount namespace of the process that has the recorded number today.  If that is
# another process, in a container, perf does not find them: hide all processes from it.
alone=(unshare --pid --fork --mount-proc)
"${alone[@]}" true 2>/dev/null || alone=(env)

normal() { perl tests/host/lib/report-normal.pl; }

# same_report FILE OPTION…: perf and ringtail print the same tables of $corpus/FILE.data.
same_report() {
	local file=$1 perf own
	shift
	"${alone[@]}" perf report --stdio -i "$corpus/$file.data" "$@" 2>"$dir/perf.err" >"$dir/perf.text"
	perf=$?
	"$ringtail" report --compat -i "$corpus/$file.data" "$@" 2>"$dir/ringtail.err" >"$dir/ringtail.text"
	own=$?
	normal <"$dir/perf.text" >"$dir/perf"
	normal <"$dir/ringtail.text" >"$dir/ringtail"
	same_text "$file: $*" "$dir" $perf $own
}
