# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# watch.sh - what the tests of watchpoints share, beside tap.sh: rt_watch_play plays, perf reads.

. ./lib/perf.sh

data=/results/perf.data
expected='' # a warning of perf's

poke() { echo "$*" >/proc/rt_watch_play; }

address() { sed -n "s/^$1 //p" /proc/rt_watch_play; }

# Record a command; the summary is in $said, perf's lines in /tmp/lines, and one line a hit in
# /tmp/hits: "FUNCTION ADDR LEN RW OLD NEW FLAGS NAME", the function as /proc/kallsyms has it.
watch_command() { # COMMAND OPTION…
	command=$1
	shift
	said=$(ringtail record "$@" -o $data -- sh -c "$command" 2>&1)
	is $? 0 "$command: recorded" || diag "$said"
	look
}

look() {
	perf_events -i $data >/tmp/lines 2>/tmp/warnings
	if [ "$expected" ]; then
		like "$(cat /tmp/warnings)" "$expected" "perf reads it and says so"
	else
		is "$(cat /tmp/warnings)" "" "perf reads it without a warning"
	fi
	[ -s /tmp/functions ] || grep '\[rt_watch_play\]' /proc/kallsyms | grep ' [tT] ' | sort >/tmp/functions
	sed -n 's/.* watch:\([^ ]*\): (\([0-9a-f]*\)) addr=\([^ ]*\) len=\([^ ]*\) rw=\([^ ]*\) old=\([^ ]*\) new=\([^ ]*\) flags=\([^ ]*\)$/\2 \3 \4 \5 \6 \7 -\8 \1/p' \
		/tmp/lines >/tmp/raw
	awk '
		FILENAME == "/tmp/functions" { from[++n] = $1; name[n] = $3; next }
		!($1 in known) {
			known[$1] = "?"
			for (i = 1; i <= n; i++)
				if (from[i] "" <= $1 "" && substr(from[i], 1, 12) == substr($1, 1, 12))
					known[$1] = name[i]
		}
		{ $1 = known[$1]; print }' /tmp/functions /tmp/raw >/tmp/hits
}

# What rt_watch_play is to play, separated by semicolons.
watch() { # WHAT-TO-PLAY OPTION…
	play=$1
	shift
	watch_command "$(echo "$play" | sed 's/ *\([^;]*\)/echo \1 >\/proc\/rt_watch_play/g')" "$@"
}

hits() { wc -l </tmp/hits; }

# Column COLUMN of the hits (of one function), in one line.
column() { # COLUMN [FUNCTION]
	awk -v c="$1" -v f="$2" 'f == "" || $1 == f { printf "%s%s", s, $c; s = " " }' /tmp/hits
}
olds() { column 5 "$1"; }
news() { column 6 "$1"; }
distinct() { column "$@" | tr ' ' '\n' | uniq | tr '\n' ' ' | sed 's/ $//'; }

# FROM … TO in hexadecimal.
hexes() { seq "$1" "$2" | awk '{ printf "%s0x%x", s, $1; s = " " }'; }
