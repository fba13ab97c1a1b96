#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# debugindex.seeds.sh DIRECTORY - a small index, as debugindex.c takes it: two functions, one file, two rows.
set -e

# A number as COUNT bytes.
le() { # COUNT NUMBER
	local i
	for ((i = 0; i < $1; i++)); do
		# shellcheck disable=SC2059
		printf "\\$(printf %03o $(($2 >> 8 * i & 255)))"
	done
}
{
	printf 'rtdebug3'
	le 8 0      # sum
	le 8 4096   # base
	le 8 0; le 8 0; le 4 0 # id
	le 4 4
	le 4 2; le 4 3; le 4 1; le 4 2 # functions, places, files, rows
	le 4 21; le 4 0                # names
	le 4 1; le 4 0; le 4 6; le 4 1; le 4 0; le 4 3 # functions
	le 4 12; le 4 0; le 4 0; le 4 2                # files
	le 4 16; le 4 5; le 4 32; le 4 6               # rows
	le 4 16; le 4 $((1 << 31 | 32)); le 4 $((1 << 31 | 48)) # places
	printf '\0seen\0twice\0a/seed.c\0'
} >"$1/small"
