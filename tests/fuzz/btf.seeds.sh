#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# btf.seeds.sh DIRECTORY - a small program's BTF.
set -e
out=$1
tests=$(cd "$(dirname "$0")/../unit" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/seed.c" <<'C'
#include <stdio.h>
#include "btf_build.h"
int main(void)
{
	uint32_t types, strings;
	size_t size;
	char *data = btf_kernel(&size, &types, &strings);
	return fwrite(data, 1, size, stdout) != size;
}
C
cc -I"$tests" -o "$work/seed" "$work/seed.c"
"$work/seed" >"$out/kernel.btf"
