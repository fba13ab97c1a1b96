# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154 # $command is the test's, $ringtail that of corpus.sh
#
# command.sh - what tests of commands that read recordings share: the host's recordings in $corpus, a
# directory for their files in $dir.  Source it at the top of the tree.

. tests/lib/tap.sh
. tests/host/lib/corpus.sh
. tests/host/lib/compare.sh
corpus_host || { echo "Bail out! perf cannot record here"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# run OPTION…: ringtail $command; output and errors in $dir/out and $dir/err, the status in $status.
# The limit ends a program that hangs.
run() {
	timeout 300 "$ringtail" "$command" "$@" >"$dir/out" 2>"$dir/err"
	status=$?
}

# refused STATUS REGEX OPTION…: with one line.
refused() {
	local want=$1 regex=$2
	shift 2
	run "$@"
	is "$status $(wc -l <"$dir/err")" "$want 1" "$command $*: refused with status $want, in one line"
	like "$(cat "$dir/err")" "$regex" "$command $*: with the reason"
}
