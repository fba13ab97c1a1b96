#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# check: level=all
#
# Mutants of the ring.  Each puts one mistake into a copy of the sources; whoever it names must
# catch it.  A mutant that survives is a test that is missing.
#
#   what: the mistake                 file: where it is made
#   caught by: unit NAME              tests/unit/NAME.c fails
#   caught by: tsan                   ThreadSanitizer finds a race in tests/torture/orders.c: an order
#                                     is missing in the C, whatever this machine does without it
#   caught by: weak                   a missing barrier: the search of the model with the
#   model: OPTION…                    options must find it; a weakly ordered host is given
#                                     some seconds of torture to show it too
#   caught by: nobody REASON          no mistake: nothing that is promised changes
#
# The default tries every third of the scripts tests/mutants/*.sed, without those of the model, whose
# searches are part of tests/model/ring.sh.  --all tries everything, also tests/mutants/*.list.  With
# names as arguments, these mutants are tried and no others.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/model/lib/search.sh

make -s build/libringtail.a || exit 1
work=build/mutants
level=${RT_LEVEL:-default}
[ $# = 0 ] || level=named
rm -rf "$work"
mkdir -p "$work/verdicts"

mutants=(tests/mutants/*.sed)
[ "$level" = default ] || mapfile -t -O ${#mutants[@]} mutants < <(grep -H '^== ' tests/mutants/*.list | sed 's/== //')

# A mutant is FILE.sed, or FILE.list:NAME.
field() { # FIELD MUTANT
	case $2 in
	*.sed) sed -n "s/^# $1: //p" "$2" ;;
	*) sed -n "/^== ${2#*:}\$/,/^== /s/^$1: //p" "${2%:*}" ;;
	esac
}
name_of() { case $1 in *.sed) basename "$1" .sed ;; *) echo "${1#*:}" ;; esac; } # MUTANT

# A copy of all that a ring test is made of.
copy() { # DIRECTORY
	mkdir -p "$1/module/ring" "$1/tests/unit" "$1/tests/torture" "$1/user"
	cp module/ring/*.[ch] "$1/module/ring"
	cp tests/unit/ring_* tests/unit/tap.h "$1/tests/unit"
	cp tests/torture/*.c "$1/tests/torture"
	cp -r user/agent user/base user/image "$1/user"
}

# 1: it cannot be applied, and verdict.log says why.
apply() { # MUTANT DIRECTORY
	local file
	case $1 in
	*.sed)
		for file in $(field file "$1"); do
			sed -i -f "$1" "$2/$file"
			! cmp -s "$file" "$2/$file" || { echo "the script changes nothing in $file" >"$2/verdict.log"; return 1; }
		done
		;;
	*) perl tests/mutants/apply.pl "${1%:*}" "${1#*:}" "$2" 2>"$2/verdict.log" ;;
	esac
}

include=(-Iinclude -Iinclude/uapi -Iuser)
build() { # DIRECTORY SOURCE PROGRAM
	gcc -std=gnu99 -O1 -w -D_GNU_SOURCE -I"$1/user" "${include[@]}" -I"$1/tests/unit" -o "$1/$3" "$1/$2" \
		"$1"/user/agent/{subbuf,live}.c "$1"/user/image/{find,extents}.c build/libringtail.a -lpthread >"$1/verdict.log" 2>&1
}

# Six times what the longest of them takes: nobody waits, so most that goes on for ever is noticed by the
# number of points that it passes.
cpu_seconds=30

passes() { "$1/$2" >"$1/$2.log" 2>&1; } # DIRECTORY NAME

# Caught: a point that fails, a crash, or no end.
caught_by_unit() { # DIRECTORY NAME
	build "$1" "tests/unit/$2.c" "$2" || return 1
	(
		ulimit -t $cpu_seconds -c 0
		set -o pipefail
		! stdbuf -oL "$1/$2" 2>&1 | { ! grep -m 1 '^not ok' >"$1/verdict.log"; }
	) 2>/dev/null
}

caught_by_torture() { # DIRECTORY SECONDS
	build "$1" tests/torture/ring.c torture && ! timeout $(($2 + 60)) "$1/torture" --seconds "$2" >"$1/torture.log" 2>&1
}

# ThreadSanitizer, with the readers' sources in the program.
tsan() { # DIRECTORY SOURCE OPTION…
	local dir=$1 source=$2
	shift 2
	gcc -std=gnu99 -O1 -g -w -fsanitize=thread -D_GNU_SOURCE -I"$dir/user" "${include[@]}" -I"$dir/tests/unit" \
		-o "$dir/tsan" "$dir/$source" "$dir"/user/agent/{subbuf,live}.c "$dir"/user/base/error.c \
		-lpthread >"$dir/verdict.log" 2>&1 || return 1
	TSAN_OPTIONS='halt_on_error=1 exitcode=66' "$dir/tsan" "$@" >"$dir/verdict.log" 2>&1
}

caught_by_tsan() { # DIRECTORY
	tsan "$1" tests/torture/orders.c
	[ $? = 66 ] && grep -q 'ThreadSanitizer: data race' "$1/verdict.log"
}

caught_by_model() { # DIRECTORY MUTANT
	local options seconds=20
	mapfile -t options < <(field model "$2" | tr ' ' '\n')
	search "mutant-$(name_of "$2")" "${options[@]}" >"$1/verdict.log"
	grep -q ^found "$1/verdict.log" || return 1
	[ "$(uname -m)" = aarch64 ] || return 0
	if caught_by_torture "$1" $seconds; then
		echo "seen by torture on this machine: $(grep -m 1 '^# .* on cpu' "$1/torture.log")" >>"$1/verdict.log"
	else
		echo "not seen on this machine in $seconds seconds" >>"$1/verdict.log"
	fi
}

# Leaves "STATUS WHAT" and what is to be said about it in verdicts/.
judge() { # MUTANT NUMBER
	local name who whom what dir status
	name=$(name_of "$1") what=$(field what "$1") dir=$work/$(basename "${1%%[.:]*}")-$(name_of "$1")
	read -r who whom <<<"$(field 'caught by' "$1")"
	copy "$dir"
	apply "$1" "$dir" && case $who in
	unit) caught_by_unit "$dir" "$whom" ;;
	tsan) caught_by_tsan "$dir" ;;
	weak) caught_by_model "$dir" "$1" ;;
	*) echo "nobody is named to catch it" >"$dir/verdict.log" && false ;;
	esac
	status=$?
	{
		echo "$status $name: $what; caught by ${whom:-$who}"
		[ $status = 0 ] && [ "$who" != weak ] || head -n 3 "$dir/verdict.log"
	} >"$work/verdicts/$2"
	rm -rf "$dir"
}

chosen() { # MUTANT
	local name
	case $level in
	named) for name in $names; do [ "$name" != "$(name_of "$1")" ] || return 0; done; return 1 ;;
	default) [ "$(field 'caught by' "$1")" != weak ] ;;
	esac
}
names=$*

# What catches a mutant must let the ring itself pass.
copy "$work/none"
for unit in $(cat tests/mutants/*.sed tests/mutants/*.list | sed -n 's/^\(# \)*caught by: unit //p' | sort -u); do
	build "$work/none" "tests/unit/$unit.c" "$unit"
	ok "no mistake: $unit passes" passes "$work/none" "$unit"
done
ok 'no mistake: ThreadSanitizer is content' tsan "$work/none" tests/torture/orders.c || diag "$(head -n 20 "$work/none/verdict.log")"
[ "$level" = default ] || ok 'no mistake: nor does it find a race in the torture' tsan "$work/none" tests/torture/ring.c --records 60000 ||
	diag "$(head -n 20 "$work/none/verdict.log")"

# As many at a time as there are processors.
count=1000
seen=0
for mutant in "${mutants[@]}"; do
	chosen "$mutant" || continue
	seen=$((seen + 1))
	[ "$level" != default ] || [ $((seen % 3)) = 1 ] || continue
	who=$(field 'caught by' "$mutant")
	[ "${who%% *}" != nobody ] || { diag "$(name_of "$mutant"): $(field what "$mutant"): no mistake, ${who#* }"; continue; }
	[ "$(jobs -rp | wc -l)" -lt "$(nproc)" ] || wait -n
	count=$((count + 1))
	judge "$mutant" $count &
done
wait
for verdict in "$work"/verdicts/*; do
	{
		read -r status what
		tap_point "$status" "$what"
		while read -r line; do diag "$line"; done
	} <"$verdict"
done
is "$(ls "$work/verdicts" | wc -l)" $((count - 1000)) 'every mutant has a verdict'
done_testing
