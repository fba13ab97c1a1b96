# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# search.sh - search one configuration of tests/model/ring.pml.  The caller stands at the top
# of the tree.

model_memory_mb=1500
model_depth=100000
[ "${RT_LEVEL:-default}" = default ] || model_memory_mb=6000

# search NAME OPTION…: prints "holds in N states", "found at depth N: what", or what went wrong.
search() {
	local dir=build/model/$1
	shift
	rm -rf "$dir"
	mkdir -p "$dir"
	cp tests/model/*.pml "$dir"
	(
		cd "$dir" && spin "$@" -a ring.pml >spin.log 2>&1 &&
			gcc "${model_optimize:--O1}" -w -DSAFETY -DNOREDUCE -DCOLLAPSE -DMEMLIM=$model_memory_mb -o pan pan.c >gcc.log 2>&1 &&
			./pan -m$model_depth >pan.log 2>&1
	)
	if ! [ -s "$dir/pan.log" ]; then
		echo "not built: see the logs in $dir"
	elif grep -qE 'max search depth too small|out of memory|reached -DMEMLIM|Interrupted' "$dir/pan.log"; then
		echo "not searched to the end: see $dir/pan.log"
	elif grep -q 'errors: 0$' "$dir/pan.log"; then
		echo "holds in $(awk '/states, stored/ { print $1 }' "$dir/pan.log") states"
	elif grep -q 'assertion violated' "$dir/pan.log"; then
		sed -n 's/.*assertion violated \(.*\) (at depth \([0-9]*\))/found at depth \2: \1/p' "$dir/pan.log"
	else
		echo "no verdict: see $dir/pan.log"
	fi
	rm -f "$dir"/pan "$dir"/pan.[a-km-z]*
}
