#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# The user program compiles without a warning with the newest gcc and clang that Debian has, against
# the newest libraries, and with an old gcc.  Nothing is linked or run.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Warnings of the parser alone by default; the others need the optimiser, which takes minutes.
flags="-fsyntax-only -Wno-unused-command-line-argument"
[ "${RT_LEVEL:-all}" = default ] || flags=-O2

compiles() { # WHERE COMPILER
	local where=$1 compiler=$2 version
	version=$(scripts/lab/compilers.sh "$where" "$compiler" --version) || exit
	scripts/lab/compilers.sh "$where" make -s -k -j2 objects B="$dir/$2" CC="$compiler" WERROR=1 CFLAGS="$flags" \
		>"$dir/log" 2>&1
	tap_point $? "$(head -n 1 <<<"$version")" || diag "$(grep -E 'error|warning' "$dir/log" | head -n 20)"
}

compiles newest gcc
compiles newest clang
compiles oldest gcc-9
done_testing
