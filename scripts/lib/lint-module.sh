#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# lint-module.sh - what `make lint-module` runs: the module built with every warning of
# the kernel's build system and sparse, into a directory of its own.  Any line of output
# is a finding.  KDIR names the kernel; without one the lab's 6.1 is taken.

set -u
. "$(dirname "$0")/setup.sh"
cd "$RT_TOP" || exit 1

kdir=${KDIR:-/lib/modules/$(uname -r)/build}
if [ ! -e "$kdir/include/generated/autoconf.h" ]; then
	[ -z "${KDIR-}" ] || rt_die "$KDIR is not a prepared kernel tree"
	fetched=$(scripts/vm fetch "6.1-$(uname -m | sed 's/aarch64/arm64/')") || exit
	# NAME: RELEASE in PREFIX
	read -r _ release _ prefix <<<"$fetched"
	kdir=$prefix/usr/src/linux-headers-$release
fi

# Without native tracepoints: what the kernel's own headers give rise to is not ours.
findings=$(make -s module NATIVE=none KDIR="$kdir" MODULE_OUT="${B:-build}/lint-module" W=1 C=2 KCFLAGS=-Werror 2>&1 |
	grep -v '^Skipping BTF generation')
[ -z "$findings" ] && exit 0
printf '%s\n' "$findings" >&2
exit 1
