#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# lint.sh - what `make lint` runs: style, static analysis, and the rules of the tree.
# Every finding is printed; the exit status says whether there was one.

set -u
. "$(dirname "$0")/setup.sh"
cd "$RT_TOP" || exit 1

bad=0
complain() { rt_say "lint: $*"; bad=1; }

# Files of the tree, also when it is not a git checkout.
files() { # PATTERN…
	local args=() p
	if git rev-parse --git-dir >/dev/null 2>&1; then
		git ls-files --cached --others --exclude-standard -- "$@" | while read -r p; do
			[ -f "$p" ] && echo "$p"
		done
	else
		for p; do args+=(-o -path "./${p//\*\*/*}"); done
		find . \( -path ./build -o -path ./out \) -prune -o -type f \( -false "${args[@]}" \) -print |
			sed 's|^\./||'
	fi
}

# The style depends on the version of clang-format: take the one Debian 12 has.
format=$(command -v clang-format-14 || command -v clang-format) || complain "clang-format is missing"
mapfile -t sources < <(files '*.c' '*.h')
"$format" --dry-run -Werror "${sources[@]}" || complain "style: run $format -i on the files above"

mapfile -t scripts < <(files 'scripts/*' 'tests/*.sh' '.ci/run' | xargs grep -lE '^#!.*sh|shellcheck shell=')
shellcheck -x -P SCRIPTDIR -S warning "${scripts[@]}" || complain "shell: see above"

cppcheck --quiet --error-exitcode=1 --enable=warning,portability --inline-suppr --std=c99 -j 2 \
	--suppress=missingInclude --suppress=normalCheckLevelMaxBranches -Iinclude -Iinclude/uapi -Iuser -Imodule user ||
	complain "cppcheck: see above"

for f in "${sources[@]}" "${scripts[@]}" Makefile; do
	head -n 4 "$f" | grep -q 'SPDX-License-Identifier: ' || complain "$f has no SPDX line"
done
for f in include/uapi/*.h; do
	grep -q 'GPL-2.0 WITH Linux-syscall-note' "$f" || complain "$f must be GPL-2.0 WITH Linux-syscall-note"
done

scripts/lib/lint-tree.pl || complain "the rules of the tree: see above"

mapfile -t core < <(files 'module/*.c' 'module/*.h' | grep -v '^module/compat/')
[ ${#core[@]} = 0 ] || ! grep -nE 'LINUX_VERSION_CODE|KERNEL_VERSION\(' "${core[@]}" ||
	complain "kernel versions belong to module/compat/"

for page in docs/man/*.[1-9]; do
	[ -e "$page" ] || continue
	warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
	[ -z "$warnings" ] || complain "$page: $warnings"
done

for doc in README.md CONTRIBUTING.md docs/*.md; do
	[ -e "$doc" ] || continue
	grep -oE '\]\([^)#:]+' "$doc" | cut -c3- | while read -r target; do
		[ -e "$(dirname "$doc")/$target" ] || rt_say "lint: $doc links to $target, which is not there"
	done | grep . >&2 && bad=1
done

exit $bad
