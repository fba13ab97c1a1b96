# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# debian.sh - what tests with the debug information of Debian's kernel begin with.  Sets $dir, $seed, $kernel and
# $vmlinux, and builds the program; RT_SEED and RT_VMLINUX choose others.

cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit 1
. tests/lib/tap.sh
seed=${RT_SEED:-$RANDOM}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
case $(uname -m) in
aarch64) kernel=6.1-arm64 ;;
*) kernel=6.1-x86_64 ;;
esac
# shellcheck disable=SC2034 # for the test
vmlinux=${RT_VMLINUX:-$(scripts/vm debuginfo $kernel)} || exit
make -s || exit
diag "RT_SEED=$seed"
