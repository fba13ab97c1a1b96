# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154 # of corpus.sh
#
# compare.sh - perf and ringtail print the same; beside tap.sh and corpus.sh.

# same_text WHAT DIRECTORY PERF RINGTAIL: perf wrote DIRECTORY/perf and ringtail DIRECTORY/ringtail,
# each ended with this status.
same_text() {
	if [ "$3 $4" = '0 0' ] && [ -s "$2/perf" ] && cmp -s "$2/perf" "$2/ringtail"; then
		tap_point 0 "$1"
		return
	fi
	tap_point 1 "$1"
	diag "perf $3, ringtail $4"
	diff "$2/perf" "$2/ringtail" | head -n 10 | sed 's/^/# /'
	sed 's/^/# /' "$2/ringtail.err" | head -n 5
}

# same WHAT FILE OPTION…: perf script and ringtail script print the same text with these options;
# $compat holds options for ringtail alone.
same() {
	local what=$1 file=$2 dir perf
	shift 2
	dir=$(mktemp -d)
	perf script -i "$file" "$@" >"$dir/perf" 2>"$dir/perf.err"
	perf=$?
	# perf copies its own vdso to a file with a new name in each run.
	sed -i 's|/tmp/perf-vdso\.so-......|[vdso]|' "$dir/perf"
	# shellcheck disable=SC2086 # a list
	"$ringtail" script -q ${compat-} -i "$file" "$@" >"$dir/ringtail" 2>"$dir/ringtail.err"
	same_text "$what" "$dir" $perf $?
	rm -rf "$dir"
}
