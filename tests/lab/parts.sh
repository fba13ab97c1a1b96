#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The wide run in parts: nothing is left out, nothing runs twice, no part takes too long; what a run
# records, and what is said of it afterwards.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. scripts/lib/setup.sh
. scripts/lib/parts.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
HOST_ARCH=arm64

# A whole run of another tree: 3 kernels, 40 tests, 4 fuzzers.
{
	echo 'build on host'
	echo 'fuzz/build on host'
	for t in a b c d e f g h; do echo "unit/$t on host"; done
	for t in a b c d; do echo "fuzz/$t on host"; done
	for k in one two three; do
		echo "vm/build on $k"
		for ((t = 1; t <= 40; t++)); do echo "vm/t$t on $k"; done
	done
} >"$work/whole"
PART_COSTS=$work/costs.tsv
{
	printf '# a comment\n'
	printf 'vm/t%s\tone\t200\n' {1..40}
	printf 'vm/t%s\ttwo\t20\n' {1..40}
} >"$PART_COSTS"

for parts in 1 2 3 7; do
	for ((k = 1; k <= parts; k++)); do
		(parts_read "$k/$parts" <"$work/whole" && printf '%s\n' "${!part_cells[@]}")
	done >"$work/cells"
	is "$(sort -u "$work/cells")" "$(sort "$work/whole")" "of $parts parts: every cell is in one"
	is "$(grep -v build "$work/cells" | sort | uniq -d)" "" "of $parts parts: and in one only"
	is "$(for ((k = 1; k <= parts; k++)); do
		(
			parts_read "$k/$parts" <"$work/whole"
			for cell in "${!part_cells[@]}"; do
				where=${cell##* on }
				case $cell in fuzz/*) build='fuzz/build on host' ;; *host) build='build on host' ;; *) build="vm/build on $where" ;; esac
				[ -n "${part_cells[$build]-}" ] || echo "$k: $cell"
			done
		)
	done)" "" "of $parts parts: each has the builds that its tests need"
done

parts_minutes 0 <"$work/whole" >"$work/minutes"
is "$(awk '$2 > 60' "$work/minutes")" "" "no part takes more than an hour where the number is not given"
# 8,000 seconds of the first kernel, 800 of the second, 8,000 of the third as of the first; three at a time.
is "$(awk '{ sum += $2 } END { print (sum >= 90 && sum <= 130) }' "$work/minutes")" 1 "the minutes are those of the file of costs"
is "$(cut -d ' ' -f 1 "$work/minutes" | tail -n 1)" "3/3" "as few parts as that takes"
for wrong in 0/3 4/3 x/3 3 /; do
	fails "--part $wrong is refused" eval '(parts_read "$wrong" <"$work/whole") 2>/dev/null'
done

# --- costs

printf 'vm/t1\tone\tpass\t1 points\t190\nvm/t2\tone\tpass\t1 points\t700\nvm/t3\tone\tpass\t1 points\t12\nvm/t4\tone\tfail\tx\t3\nvm/new\tone\tpass\t1 points\t64\n' >"$work/verdicts"
parts_costs "$work/verdicts"
cost() { awk -F '\t' -v t="$1" '$1 == t && $2 == "one" { print $3 }' "$PART_COSTS"; }
is "$(cost vm/t1)" 200 "a cost that is about right stays"
is "$(cost vm/t2)" 700 "one that has doubled changes"
is "$(cost vm/t3)" 10 "so does one that has halved"
is "$(cost vm/t4)" 200 "a test that failed has measured nothing"
is "$(cost vm/new)" 70 "a new test gets a cost"
is "$(head -n 1 "$PART_COSTS")" "# a comment" "comments stay"

# --- the record

printf 'a\thost\tpass\t\t1\nb\thost\tpass\t\t1\nc\thost\tfail\t\t1\nd\thost\tskip\t\t1\ne\thost\tunsteady\t\t0\n' >"$work/verdicts"
git init -q "$work/tree"
cd "$work/tree" || exit 1
git config user.name tester
git config user.email tester@localhost
mkdir module user
echo 1 >module/a.c
git add . && git commit -qm 'module: begin'
parts_record 1/2 "$work/verdicts" 600 "$work/record.tsv"
is "$(cut -f 1,2,6- "$work/record.tsv")" $'1/2\tarm64\t2\t1\t1\t600' "a row: part, host, counts, seconds"
like "$(parts_tested "$work/record.tsv")" 'arm64 host, part 1/2: 2 passed, 1 failed, 1 unsteady in 10 minutes on .*, this product' "what was run on this product"
like "$(parts_tested "$work/record.tsv")" 'arm64 host, part 2/2: not run' "what was not"
like "$(parts_tested "$work/record.tsv")" 'x86_64 host: no part has been run' "on the other architecture"
echo text >notes
git add . && git commit -qm 'docs: a note'
like "$(parts_tested "$work/record.tsv")" 'part 1/2: .*, this product' "documents are not the product"
echo 2 >module/a.c
git commit -qam 'module: change something'
unlike "$(parts_tested "$work/record.tsv")" 'this product' "a change of the module makes it another product"
like "$(parts_tested "$work/record.tsv")" 'since then: .* module: change something' "the commits since then are listed"

done_testing
