#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# What the header, the events and the build-ids of a recording are, in the very words
# of perf: evlist, buildid-list and script --header over recordings of many kinds.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/lib/tap.sh"
. "$top/tests/host/lib/perfdata-record.sh"
rt=$top/build/san/ringtail
# Looking for leaks at each exit takes seconds; the unit tests do it.
export ASAN_OPTIONS=detect_leaks=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# Where ringtail differs on purpose (docs/perf-differences.md), perf's text is brought to ours.
wanted() { perfdata_plain | sed "s/^# Tip: use 'perf evlist/# Tip: use 'ringtail evlist/"; }

same() { # WHAT OPTIONS…: both programs print the same
	local what=$1
	shift
	perf "$@" 2>/dev/null | wanted >want
	"$rt" "$@" 2>err >got
	cmp -s want got && [ -s got ]
	tap_point $? "$what" || {
		diff want got | head -n 5 | while read -r line; do diag "$line"; done
		diag "$(head -n 2 err)"
	}
}

perfdata_record .
for f in *.data; do
	same "$f: evlist" evlist -i "$f"
	same "$f: evlist -v" evlist -v -i "$f"
	same "$f: evlist -F" evlist -F -i "$f"
	same "$f: evlist --group" evlist --group -i "$f"
	same "$f: evlist --trace-fields" evlist --trace-fields -i "$f"
	same "$f: script --header-only" script --header-only -i "$f"
	same "$f: script --header-only -I" script --header-only -I -i "$f"
	if [ "$f" = pipe-zstd.data ]; then # which perf's buildid-list cannot unpack
		like "$("$rt" buildid-list -i "$f")" '/ls$' "$f: buildid-list"
		continue
	fi
	same "$f: buildid-list" buildid-list -i "$f"
	same "$f: buildid-list -H" buildid-list -H -i "$f"
done

# One path, three files: the second and the third take the place of the one before.
mkdir several
replaced() { # OPTIONS…
	perf record -q "$@" -e cpu-clock -F 5000 -- sh -c '
		for p in cksum md5sum cksum; do
			cp "$(command -v $p)" several/new
			mv several/new several/program
			head -c 50000000 /dev/zero | several/program
		done >/dev/null'
}
replaced -o replaced.plain
replaced -B -o replaced.no-ids
replaced --buildid-mmap -o replaced.in-mappings
# perf gives the header's build-id to some of the files of its path, by the shape of its tree;
# ringtail to each (docs/perf-differences.md). The path has one build-id in these headers.
same_filled() { # WHAT FILE
	local id
	id=$(perf buildid-list -i "$2" 2>/dev/null | sed -n 's, .*/several/program$,,p' | sort -u)
	like "$id" '^[0-9a-f]{40}$' "$1: the header has a build-id of the path"
	perf buildid-list -H -i "$2" 2>/dev/null | wanted | sed "s,^ \{40\} \(.*/several/program\)$,$id \1," >want
	"$rt" buildid-list -H -i "$2" >got 2>err
	cmp -s want got && [ -s got ]
	tap_point $? "$1: a build-id for each file" || diag "$(diff want got | head -n 5; head -n 2 err)"
}

for f in replaced.*; do
	same "$f: buildid-list" buildid-list -i "$f"
	if [ "$f" = replaced.plain ]; then
		same_filled "$f: buildid-list -H" "$f"
	else
		same "$f: buildid-list -H" buildid-list -H -i "$f"
	fi
	like "$("$rt" buildid-list -H -i "$f" | grep -c several/program)" '^[23]$' "$f: a line for each file"
done
same "an ELF file's build-id" buildid-list -i /bin/ls
same "the running kernel's build-id" buildid-list -k
perl -0777 -pe 's/cpu-clock\0/c\e[2Jk\xffzz\0/g' clock.data >names.data
is "$("$rt" evlist -i names.data)" 'c?[2Jk?zz' "evlist: control characters in names are replaced"
# shellcheck disable=SC2016 # for the inner shell
fails "evlist: output that cannot be written" sh -c '"$0" evlist -i clock.data >/dev/full' "$rt" 2>err
fails "evlist -g with -v is refused" "$rt" evlist -g -v -i clock.data 2>err
like "$(cat err)" 'cannot be combined' "and it says why"
fails "a file that is not there" "$rt" evlist -i nowhere.data 2>err
like "$(cat err)" 'no such file' "is said to be missing"
printf 'not a recording at all, but long enough to be looked at\n' >junk
fails "a file that is none" "$rt" evlist -i junk 2>err
like "$(cat err)" 'not a perf.data file' "is said to be none"
done_testing
