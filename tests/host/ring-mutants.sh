#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# Mutants of the ring.  Each script in tests/mutants/ puts one mistake into a copy of the
# sources; whoever it names must catch it.  A mutant that survives is a test that is missing.
#
#   # what: the mistake                 # file: where it is made
#   # caught by: unit NAME              tests/unit/NAME.c fails
#   # caught by: weak                   a missing barrier: the search of the model with the
#   # model: OPTION…                    options must find it; a weakly ordered host is given
#                                       some seconds of torture to show it too

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/model/lib/search.sh

make -s build/libringtail.a || exit 1
work=build/mutants
seconds=2
[ "${RT_LEVEL:-default}" = default ] || seconds=20
rm -rf "$work"

field() { sed -n "s/^# $1: //p" "$2"; } # NAME FILE

# A copy of all that a ring test is made of.
copy() { # DIRECTORY
	mkdir -p "$1/module" "$1/tests/unit" "$1/tests/torture" "$1/user"
	cp module/ring*.[ch] "$1/module"
	cp tests/unit/ring_* tests/unit/tap.h "$1/tests/unit"
	cp tests/torture/ring.c "$1/tests/torture"
	cp -r user/agent user/base "$1/user"
}

build() { # DIRECTORY SOURCE PROGRAM
	gcc -std=gnu99 -O2 -w -D_GNU_SOURCE -I"$1/user" -Iinclude -Iinclude/uapi -Iuser -I"$1/tests/unit" -o "$1/$3" "$1/$2" \
		"$1"/user/agent/subbuf.c "$1"/user/agent/live.c build/libringtail.a -lpthread >"$1/build.log" 2>&1
}

# A unit test may take three times the processor time that it takes with the ring as it is.
declare -A cpu_limit
passes() { # DIRECTORY NAME
	local TIMEFORMAT=%U used
	used=$({ time "$1/$2" >"$1/$2.log" 2>&1; } 2>&1) || return 1
	cpu_limit[$2]=$((3 * ${used%.*} + 3))
}

# Caught: a point that fails, a crash, or no end.
caught_by_unit() { # DIRECTORY NAME
	build "$1" "tests/unit/$2.c" "$2" || { diag "does not build: $(head -n 3 "$1/build.log")"; return 1; }
	(
		ulimit -t "${cpu_limit[$2]}" -c 0
		set -o pipefail
		! stdbuf -oL "$1/$2" 2>"$1/$2.log" | { ! grep -m 1 '^not ok' >>"$1/$2.log"; }
	) 2>/dev/null
}

caught_by_torture() { # DIRECTORY SECONDS
	build "$1" tests/torture/ring.c torture && ! timeout $(($2 + 60)) "$1/torture" --seconds "$2" >"$1/torture.log" 2>&1
}

# What catches a mutant must let the ring itself pass.
copy "$work/none"
for unit in $(cat tests/mutants/*.sed | sed -n 's/^# caught by: unit //p' | sort -u); do
	build "$work/none" "tests/unit/$unit.c" "$unit"
	ok "no mistake: $unit passes" passes "$work/none" "$unit"
done

for mutant in tests/mutants/*.sed; do
	name=$(basename "$mutant" .sed)
	what="$name: $(field what "$mutant")"
	file=$(field file "$mutant")
	dir=$work/$name
	copy "$dir"
	for part in $file; do
		sed -i -f "$mutant" "$dir/$part"
		cmp -s "$part" "$dir/$part" || continue
		tap_point 1 "$what: the script changes nothing in $part"
		continue 2
	done
	read -r who unit <<<"$(field 'caught by' "$mutant")"
	if [ "$who" = unit ]; then
		ok "$what; caught by $unit" caught_by_unit "$dir" "$unit" 2>/dev/null
		continue
	fi
	mapfile -t options < <(field model "$mutant" | tr ' ' '\n')
	verdict=$(search "mutant-$name" "${options[@]}")
	like "$verdict" '^found' "$what; caught by the model"
	if [ "$(uname -m)" != aarch64 ]; then
		skip "$what; seen on this machine" 'only a weakly ordered host can show it'
	elif caught_by_torture "$dir" $seconds; then
		diag "seen by torture on this machine: $(grep -m 1 '^# .* on cpu' "$dir/torture.log")"
	else
		diag "not seen on this machine in $seconds seconds"
	fi
done
done_testing
