# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# tap.sh - TAP for shell tests, in plain sh so that it runs in a guest's busybox.
# The plan comes last: a test that dies early has none and fails.

tap_count=0
tap_failed=0

tap_point() { # STATUS WHAT
	tap_count=$((tap_count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tap_count - $2"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_count - $2"
	fi
	return "$1"
}

diag() { printf '%s\n' "$*" | sed 's/^/# /'; }

# ok WHAT COMMAND…: the command succeeds.
ok() {
	tap_what=$1
	shift
	if "$@"; then
		tap_point 0 "$tap_what"
	else
		tap_status=$?
		tap_point 1 "$tap_what"
		diag "exit status $tap_status: $*"
		return 1
	fi
}

# fails WHAT COMMAND…: the command does not succeed.
fails() {
	tap_what=$1
	shift
	if "$@"; then
		tap_point 1 "$tap_what"
		diag "succeeded: $*"
		return 1
	fi
	tap_point 0 "$tap_what"
}

is() { # GOT WANT WHAT
	if [ "$1" = "$2" ]; then
		tap_point 0 "$3"
	else
		tap_point 1 "$3"
		diag "got:  $1"
		diag "want: $2"
		return 1
	fi
}

like() { # TEXT EXTENDED-REGEX WHAT
	if printf '%s\n' "$1" | grep -Eq -- "$2"; then
		tap_point 0 "$3"
	else
		tap_point 1 "$3"
		diag "got: $1"
		diag "which does not match: $2"
		return 1
	fi
}

unlike() { # TEXT EXTENDED-REGEX WHAT
	if printf '%s\n' "$1" | grep -Eq -- "$2"; then
		tap_point 1 "$3"
		diag "got: $1"
		diag "which matches: $2"
		return 1
	fi
	tap_point 0 "$3"
}

# tap_of COMMAND…: the points of a program that speaks TAP itself, among ours.
tap_of() {
	tap_lines=$("$@")
	tap_status=$?
	tap_plan=
	while IFS= read -r tap_line; do
		case $tap_line in
		"ok "*) tap_point 0 "${tap_line#* - }" ;;
		"not ok "*) tap_point 1 "${tap_line#* - }" ;;
		1..*) tap_plan=1 ;;
		*) printf '%s\n' "$tap_line" ;;
		esac
	done <<-EOF
	$tap_lines
	EOF
	[ "$tap_plan" ] || tap_point 1 "$1 ends early, with status $tap_status"
}

skip() { # WHAT REASON
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

skip_all() { # REASON
	echo "1..0 # SKIP $1"
	exit 0
}

done_testing() {
	echo "1..$tap_count"
	[ "$tap_failed" = 0 ]
	exit
}

# module_offers BIT: does INFO have this RT_SOURCE_… bit?
module_offers() { [ $((($(info-print | sed -n 's/^sources=//p') >> $1) & 1)) = 1 ]; }

# release_since MAJOR MINOR: is the running kernel of that release, or newer?
release_since() { uname -r | awk -F. -v major="$1" -v minor="$2" '{ exit !($1 > major || $1 == major && $2 + 0 >= minor) }'; }
