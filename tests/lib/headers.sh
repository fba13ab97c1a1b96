# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# headers.sh - a kernel of the lab to build modules for, natively, on the host:
# KDIR, KRELEASE, and a scratch directory SCRATCH that goes with the test.  A test may set $arch before.

host=$(uname -m | sed 's/aarch64/arm64/')

# headers_of ARCH: take the headers of another architecture; give make "${KCROSS[@]}".
# shellcheck disable=SC2034 # for the tests
headers_of() {
	local prefix
	arch=$1
	KCROSS=(CC=gcc-12)
	[ "$arch" = "$host" ] || KCROSS=(ARCH="$arch" CROSS_COMPILE="${arch/arm64/aarch64}-linux-gnu-" CC="${arch/arm64/aarch64}-linux-gnu-gcc-12")
	read -r _ KRELEASE _ prefix <<<"$(scripts/vm fetch "6.1-$arch")"
	[ -n "$prefix" ] || { echo "Bail out! no kernel headers"; exit 75; }
	KDIR=$prefix/usr/src/linux-headers-$KRELEASE
}
headers_of "${arch:-$host}"

# How the module is built is at issue, not how many tracepoints it ends up with.
export NATIVE=sched

SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT

# A copy of the headers that a test may break: headers_copy NAME
headers_copy() {
	local copy=$SCRATCH/$1 link
	cp -a "$KDIR" "$copy"
	for link in scripts tools; do
		[ ! -L "$copy/$link" ] || ln -sfn "$(realpath "$KDIR/$link")" "$copy/$link"
	done
	echo "$copy"
}
