#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# The module as older kernels get it.  tests/compat/ has the probes that each of them passed, found by
# building for it.  Here the module is built with those answers, as far as this kernel's headers allow:
# a replacement that needs a struct or a header of the older kernel cannot be compiled here.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/lib/headers.sh

export NATIVE=none

probes=$(find module/compat/probes -name 'RT_HAVE_*.c' -printf '%f\n' | sed 's/\.c$//' | sort)
for answers in tests/compat/*; do
	is "$(sort "$answers" | comm -23 - <(echo "$probes"))" "" "${answers##*/}: every answer is of a probe"
done

# Each build takes a minute or two.  By default only the host's oldest, which needs most replacements.
kernels=(tests/compat/*)
if [ "${RT_LEVEL:-all}" = default ]; then
	case $host in
	arm64) kernels=(tests/compat/4.9-arm64) ;;
	x86_64) kernels=(tests/compat/3.10-x86_64) ;;
	esac
fi
for answers in "${kernels[@]}"; do
	name=${answers##*/}
	case $name in
	*-arm64*) headers_of arm64 ;;
	*) headers_of x86_64 ;;
	esac
	out=$(make -s -j2 module KDIR="$KDIR" "${KCROSS[@]}" MODULE_OUT="$SCRATCH/$name" COMPAT_LIKE="$PWD/$answers" 2>&1)
	is $? 0 "$name: builds with the replacements that this kernel gets"
	is "$(grep -v '^Skipping BTF generation' <<<"$out")" "" "$name: without a warning"
	like "$(cat "$SCRATCH/$name/rt-compat-config.h")" 'turned off by .*COMPAT_LIKE' "$name: some are replaced"
	rm -rf "${SCRATCH:?}/$name"
done

done_testing
