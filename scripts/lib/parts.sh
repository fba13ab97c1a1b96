# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # a part of scripts/check
#
# parts.sh - the wide run in parts: which cells belong to one, how long it takes, and what has been
# proved about a tree so far.

# What a part may take on two idle cores.
PART_SECONDS=3600
PART_COSTS=$RT_TOP/scripts/lib/costs.tsv
# The files that make the product: a result holds for every tree that has the same.
PART_PRODUCT='module user include Kbuild Makefile'

# parts_plan N LISTING…: every cell with its part, see parts.awk; N of 0: as many as needed.
parts_plan() { # N
	awk -v parts="$1" -v limit=$PART_SECONDS -f "$RT_TOP/scripts/lib/parts.awk" "$PART_COSTS" -
}

# parts_read K/N: into $part and $parts; the listing of the whole run on stdin goes to part_cells.
parts_read() {
	local cell
	[[ $1 =~ ^([0-9]+)/([0-9]+)$ ]] || rt_die "--part needs K/N, such as 1/10, not '$1'"
	part=${BASH_REMATCH[1]} parts=${BASH_REMATCH[2]}
	[ "$part" -ge 1 ] && [ "$part" -le "$parts" ] || rt_die "--part $1: there are the parts 1/$parts to $parts/$parts"
	declare -gA part_cells=()
	while IFS=$'\t' read -r cell; do part_cells[$cell]=1; done \
		< <(parts_plan "$parts" | awk -F '\t' -v k="$part" '$1 == k { print $3 " on " $4 }')
	[ ${#part_cells[@]} -gt 0 ] || rt_die "--part $1: nothing is left for this part; choose fewer"
}

# parts_minutes N: the listing on stdin; a line a part.
parts_minutes() {
	parts_plan "$1" | awk -F '\t' '
		{
			seconds[$1] += $2
			cells[$1]++
			if (!seen[$1, $4]++)
				where[$1] = where[$1] " " $4
			if ($1 > parts)
				parts = $1
		}
		END {
			for (p = 1; p <= parts; p++)
				printf "%-6s %4.0f minutes, %3d cells:%s\n", p "/" parts, seconds[p] / 60, cells[p], where[p]
		}'
}

# parts_costs VERDICTS: what was measured, into the file of costs.  A number there stays unless it is
# off by a factor of two, so that the file changes when a test does.
parts_costs() {
	awk -F '\t' -v OFS='\t' -f "$RT_TOP/scripts/lib/costs.awk" "$PART_COSTS" "$1" >"$PART_COSTS.new" &&
		mv "$PART_COSTS.new" "$PART_COSTS"
}

# --- what has been proved ---------------------------------------------------------

parts_hash() { git ls-files -s -- $PART_PRODUCT | sha256sum | cut -c 1-16; }

# A row of the record, from the verdicts of the run that ends.
parts_record() { # NAME VERDICTS SECONDS FILE
	awk -F '\t' -v OFS='\t' -v name="$1" -v arch="$HOST_ARCH" -v commit="$(git rev-parse --short=10 HEAD)" \
		-v hash="$(parts_hash)" -v date="$(date -u +%F)" -v took="$3" '
		{ count[$3]++ }
		END {
			print name, arch, commit, hash, date, count["pass"] + 0, count["fail"] + count["download"] + 0,
				count["unsteady"] + 0, took
		}' "$2" >>"$4"
}

# Commits after COMMIT that change the product, a line each.
parts_later() { # COMMIT
	# shellcheck disable=SC2086 # a list of paths
	git log --format='      since then: %h %s' "$1..HEAD" -- $PART_PRODUCT 2>/dev/null || echo '      of an unknown commit'
}

# parts_tested FILE…: for each architecture every part of the division that was last used.
parts_tested() {
	local hash arch parts row k commit
	hash=$(parts_hash)
	echo "product $hash, commit $(git rev-parse --short=10 HEAD)"
	for arch in x86_64 arm64; do
		parts=$(cat "$@" 2>/dev/null | awk -F '\t' -v a=$arch '$2 == a && split($1, n, "/") == 2 { last = n[2] } END { print last + 0 }')
		[ "$parts" != 0 ] || { echo "$arch host: no part has been run"; continue; }
		for ((k = 1; k <= parts; k++)); do
			row=$(cat "$@" 2>/dev/null | awk -F '\t' -v a=$arch -v p="$k/$parts" '$1 == p && $2 == a { row = $0 } END { print row }')
			[ -n "$row" ] || { echo "$arch host, part $k/$parts: not run"; continue; }
			awk -F '\t' -v hash="$hash" '{
				printf "%s host, part %s: %d passed, %d failed, %d unsteady in %d minutes on %s, %s\n", $2, $1, $6, $7,
					$8, $9 / 60, $5, $4 == hash ? "this product" : "product " $4
			}' <<<"$row"
			IFS=$'\t' read -r _ _ commit was _ <<<"$row"
			[ "$was" = "$hash" ] || parts_later "$commit"
		done
	done
}
