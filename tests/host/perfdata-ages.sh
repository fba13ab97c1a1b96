#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Recordings by the perf of Debian 11 (5.10) and by the newest one: the former printed as
# perf 6.1 prints it, the latter, which 6.1 refuses, as its own perf does, field by field.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/lib/tap.sh"
rt=$top/build/san/ringtail
# Looking for leaks at each exit takes seconds; the unit tests do it.
export ASAN_OPTIONS=detect_leaks=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

"$top/scripts/lab/perfs.sh" 5.10 newest >readers || exit
old=$(sed -n 1p readers) new=$(sed -n 2p readers)

record() { # PERF AGE: a file of each kind that this perf can record
	while read -r name options; do
		# shellcheck disable=SC2086 # the options are words
		"$1" record -q -o "$2-$name.data" $options -- ls -R /usr/share/doc >/dev/null 2>err </dev/null || {
			echo "# $2 cannot record $name: $(tail -n 1 err)"
			rm -f "$2-$name.data"
		}
	done <<-'END'
		clock     -e cpu-clock
		chain     -e cpu-clock -g
		often     -e cpu-clock -c 50000 -g
		several   -e cpu-clock,page-faults -a -d
		zstd      -z -e cpu-clock -g
		sideband  -e cpu-clock --switch-events --namespaces --all-cgroups -a
		read      -e cpu-clock -s
		group     -e {cpu-clock,page-faults}:S
		registers -e cpu-clock --user-regs=sp
	END
	"$1" record -q -e cpu-clock -o - -- ls -R /usr/share/doc 2>/dev/null >"$2-pipe.data"
}

# The records alone, without what script prints of each sample below it.
records() { awk '/^0[x0-9a-f]*(@[^ ]*)? \[0x[0-9a-f]*\]: event: / { keep = 1 } /^ \.\.\. thread:/ { keep = 0 } keep && NF'; }

# What newer perfs say in more words, or spell better.
old_words() {
	sed -e 's/^\.\.\. Time Multiplier /... Time Muliplier  /' -e 's/ (PERF_CONTEXT_[A-Z_]*)$//' \
		-e 's/ (PERF_[A-Z_]*)//g' -e 's/, config\(:\| =\) 0,/,/' \
		-e '/^# \(bpf_prog_info\|btf info\) empty$/d' -e '/^# Tip: /d' -e 's/ CPU_DOMAIN_INFO $/ /'
}

same() { # WHAT: want and got
	[ -s want ] && cmp -s want got
	tap_point $? "$1" || diff want got | head -n 6 | while read -r line; do diag "$line"; done
}

# Of a pipe only the lines that decode a record: newer dumps tell attrs and features in
# the middle, 5.10 names no file and says less of some records.
records_only() { # FILE
	case $1 in
	*-pipe.data) records | sed -n -e 's/PERF_RECORD_\(ATTR\|FEATURE\|TIME_CONV\|THREAD_MAP\|CPU_MAP\).*/\1/' -e '/PERF_RECORD_/p' ;;
	*) records ;;
	esac
}

# perf 5.10 reads a pipe's format only from a pipe.
through() { # FILE COMMAND…
	local file=$1
	shift
	case $file in *-pipe.data) cat "$file" | "$@" -i - ;; *) "$@" -i "$file" ;; esac
}

compare() { # PERF FILE
	through "$2" "$1" script -D 2>/dev/null | records_only "$2" | old_words >want
	through "$2" "$rt" script -D 2>err | records_only "$2" | old_words >got
	same "$2: every record is decoded as $("$1" --version) does" || diag "$(cat err)"
	[ "$2" != 5.10-pipe.data ] || return # whose events 5.10 does not list
	for o in -v -F -g; do
		through "$2" "$1" evlist $o 2>/dev/null | old_words >want
		through "$2" "$rt" evlist $o 2>/dev/null | old_words >got
		same "$2: evlist $o"
	done
	case $2 in *-pipe.data) return ;; esac
	"$1" script --header-only -I -i "$2" 2>/dev/null | old_words >want
	"$rt" script --header-only -I -i "$2" 2>/dev/null | old_words >got
	same "$2: header"
}

# The newest perf pads tids, shows inlined functions in every stack, C++ names with their
# parameters, and in a stack the addresses of the process, not of the file: each field but that
# address is the same.  It forgets the names of tasks that exit, which many do on a whole machine,
# and has names for more of the procedure linkage table.
fields() { sed -e 's/^\t *[0-9a-f]* /\t/' -e 's/^ *//' -e 's,/tmp/perf-vdso\.so-[A-Za-z0-9]\{6\},[vdso],' | tr -s ' '; }

script() { # PERF FILE: the lines and stacks of script
	case $2 in
	5.10-pipe.data) ;; # which 6.1 does not read
	5.10-*)
		perf script -i "$2" 2>/dev/null | sed 's,/tmp/perf-vdso\.so-[A-Za-z0-9]\{6\},[vdso],' >want
		"$rt" script --compat -q -i "$2" >got 2>err
		same "$2: script prints what perf 6.1 does" || diag "$(cat err)"
		;;
	*)
		options=(--no-inline --no-demangle)
		case $2 in *-several.* | *-sideband.*) options=(-F "tid,cpu,time,event,period,ip") ;; esac
		"$1" script "${options[@]}" -i "$2" 2>/dev/null | fields >want
		"$rt" script "${options[@]}" -q -i "$2" 2>err | fields >got
		plt=$(grep -n '@plt' want | sed 's/:.*/d;/')
		sed -i "$plt" want got
		same "$2: script has the fields that $("$1" --version) has" || diag "$(cat err)"
		;;
	esac
}

record "$old" 5.10
record "$new" newest
for f in 5.10-*.data; do
	# 6.1 takes the mark that ends 5.10's features in a pipe for a feature of its own
	case $f in *-pipe.data) compare "$old" "$f" ;; *) compare perf "$f" ;; esac
done
for f in newest-*.data; do
	compare "$new" "$f"
done
for f in *.data; do
	script "$new" "$f"
done
done_testing
