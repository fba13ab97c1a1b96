#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the checking kernels find fails the run under its own name.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh

case $(uname -m) in aarch64) arch=arm64 ;; *) arch=x86_64 ;; esac
case ${RT_LEVEL:-all} in
default) skip_all "building the checking kernels belongs to check --all" ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# finds KERNEL MODULE KIND WHAT
finds() {
	scripts/vm run "$1-$arch" --modules tests/lab/modules --timeout 200 -- "insmod /rt/modules/$2.ko; exit 0" >/dev/null 2>"$work/err"
	is $? 70 "$4 fails the run"
	like "$(cat "$work/err")" "FAILED, the kernel printed .* \[$3\]" "and is called one" || diag "$(cat "$work/err")"
}

scripts/vm run debug-$arch -- 'uname -r' >"$work/out" 2>"$work/err"
is $? 0 "the debug kernel runs a command without a complaint" || diag "$(cat "$work/err")"
finds debug lab_sleep atomic "sleeping in atomic context"
finds debug lab_overrun kasan "writing past an allocation"
finds debug lab_leak kmemleak "leaking memory"
finds debug lab_deadlock lockdep "taking locks in both orders"
finds debug lab_shift ubsan "shifting too far"
[ $arch = x86_64 ] ||
	like "$(scripts/vm run debug-$arch -- 'dmesg; zcat /proc/config.gz' 2>&1)" 'Pseudo-NMIs enabled' "arm64 has pseudo-NMIs"

scripts/vm run kcsan-$arch -- 'uname -r' >"$work/out" 2>"$work/err"
is $? 0 "the kcsan kernel runs a command without a complaint" || diag "$(cat "$work/err")"
finds kcsan lab_race kcsan "racing"

done_testing
