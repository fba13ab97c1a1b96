#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# raw.seeds.sh DIRECTORY - raw recordings of the unit test for the fuzzer to begin with, each with the byte in
# front that says how it is treated.

set -eu
out=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests=$(cd "$(dirname "$0")/.." && pwd)

"$tests/../build/san/unit/raw_expand" "$work"
for file in "$work"/*; do
	{ printf '\2' && cat "$file"; } >"$out/${file##*/}"
	{ printf '\3' && cat "$file"; } >"$out/${file##*/}-mended"
	# Small ones are mutated faster.
	{ printf '\3' && head -c 12000 "$file"; } >"$out/${file##*/}-front"
done
