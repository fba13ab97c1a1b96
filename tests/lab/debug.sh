#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the checking kernels find fails the run under its own name.  That they run without a
# complaint otherwise is shown by every VM test.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. scripts/lab/verdict.sh

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

# all_but KIND: the names of all other kinds of reports.
all_but() { cut -d '|' -f 1 <<<"$VERDICT_TABLE" | grep -vx "$1" | tr '\n' ' '; }

finds debug lab_sleep atomic "sleeping in atomic context"

# The others one after another in one guest, which takes a minute to boot.
scripts/vm run debug-$arch --modules tests/lab/modules --timeout 200 -- \
	'for m in deadlock overrun shift leak; do insmod /rt/modules/lab_$m.ko; done; exit 0' >/dev/null 2>"$work/err"
is $? 70 "bad locking, bad access, bad arithmetic and a leak fail the run"
log=$(sed -n 's/.*; log: //p' "$work/err")
for kind in lockdep kasan ubsan kmemleak; do
	is "$(verdict_find "$log" "$(all_but $kind)" | cut -d '|' -f 1)" $kind "$kind is among what is found"
done

[ $arch = x86_64 ] ||
	like "$(scripts/vm run debug-$arch -- 'dmesg; zcat /proc/config.gz' 2>&1)" 'Pseudo-NMIs enabled' "arm64 has pseudo-NMIs"

finds kcsan lab_race kcsan "racing"

done_testing
