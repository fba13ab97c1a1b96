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

# The lines of a table without call graphs, those of the same object and function added up.
added_up() {
	awk '/^ *[0-9.]+%/ { n = 0; for (i = 1; i <= NF && $i ~ /%$/; i++) { sum[i] = $i + 0; n++; $i = "" }
		for (i = 1; i <= n; i++) all[$0, i] += sum[i]; lines[$0]++ }
		END { for (key in lines) { printf "%s", key; for (i = 1; (key, i) in all; i++) printf " %.1f", all[key, i]; print "" } }' | sort
}

# perf may show a function that debug information has, too, in two lines, and its callers below one of them:
# then neither table nor call graphs can be compared line by line.
split_by_perf() { # FILE OPTION…
	local file=$1
	shift
	"${alone[@]}" perf report --stdio "$@" -g none -i "$corpus/$file.data" 2>/dev/null | normal >"$dir/split.perf"
	"$ringtail" report --compat "$@" -g none -i "$corpus/$file.data" 2>/dev/null | normal >"$dir/split.ringtail"
	[ "$(awk '/^ *[0-9.]+%/ { for (i = 1; i <= NF && $i ~ /%$/; i++) $i = ""; print }' "$dir/split.perf" | sort | uniq -d | wc -l)" -gt 0 ] &&
		[ "$(added_up <"$dir/split.perf")" = "$(added_up <"$dir/split.ringtail")" ]
}

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
	case $file in
	dwarf*)
		if ! cmp -s "$dir/perf" "$dir/ringtail" && split_by_perf "$file" "$@"; then
			skip "$file: $*" "perf shows a function in two lines; added up, the tables are the same"
			return
		fi
		;;
	esac
	same_text "$file: $*" "$dir" $perf $own
}
