#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# check: level=all
#
# scripts/vm run: what goes into a guest and what comes back.

cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh

# One of those that check has by default.
case $(uname -m) in aarch64) kernel=5.10-arm64 ;; *) kernel=5.10-x86_64 ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

vm() { scripts/vm run $kernel --results "$work/results" "$@" 2>"$work/err" >"$work/out"; }

# On a new machine fetching and building have something to say.
scripts/vm build $kernel >/dev/null 2>&1

vm -- sh -c 'echo to stdout; echo to stderr >&2; echo "$0" "$1"; exit 7' "it's" '$HOME "two  words"'
is $? 7 "the command's status is returned"
is "$(cat "$work/out")" "to stdout
it's \$HOME \"two  words\"" "stdout is the command's, nothing else, and words arrive as they were given"
is "$(grep -v '^installing' "$work/err")" "to stderr" "stderr is the command's, nothing else"

mkdir "$work/share"
echo from the host >"$work/share/a"
vm --share "$work/share" --smp 1 --mem 512 --append ringtail.lab=1 -- '
	mkdir -p /results/sub
	uname -r >/results/sub/release
	head -c 3000000 /dev/urandom >/results/big
	cat /results/big
	cat /share/a >&2
	echo from the guest >/share/b
	nproc >/results/nproc
	cat /proc/cmdline >/results/cmdline
	for t in bash perf busybox ringtail awk grep tar; do command -v $t >/dev/null || echo $t; done >/results/missing
	[ "$(id -u)" = 0 ] && [ "$(pwd)" = /rt/tests ] && [ -f lib/tap.sh ] && perf --version >&2'
is $? 0 "a script of one word runs, as root, in the tests" || diag "$(cat "$work/err")"
like "$(cat "$work/results/sub/release" 2>&1)" '^5\.10\.' "results come back, from sub-directories too"
ok "three megabytes of output arrive byte for byte" cmp "$work/out" "$work/results/big"
like "$(cat "$work/err")" 'from the host' "the guest reads the share"
is "$(cat "$work/share/b" 2>&1)" 'from the guest' "and writes to it"
is "$(cat "$work/results/nproc")" 1 "--smp"
like "$(cat "$work/results/cmdline")" ' ringtail\.lab=1' "--append"
is "$(cat "$work/results/missing")" '' "the usual tools are there"

# A command that leaves something running with its output open, which nobody waits for.
vm -- 'sleep 1000 & echo gone'
is "$?:$(cat "$work/out")" 0:gone "what a command leaves behind does not hold the run up"

vm --timeout 10 -- 'echo before; sleep 1000'
is $? 124 "a command past its time limit ends with 124"
is "$(cat "$work/out")" before "its output until then was passed on"
like "$(cat "$work/err")" 'FAILED, hung: the command did not end in 10 s' "and the message says so"
like "$(cat "$work/err")" 'sysrq|Show (Blocked|backtrace)' "with the guest's own account of what it was doing"

# Instructions counted: two boots agree to the nanosecond.  They take most of a minute.
if [ "${RT_LEVEL:-all}" != default ]; then
	vm --icount -- 'cat /proc/uptime; uname -r'
	is $? 0 "--icount runs"
	first=$(cat "$work/out")
	vm --icount -- 'cat /proc/uptime; uname -r'
	is "$(cat "$work/out")" "$first" "and is the same twice"
fi

vm -- 'poweroff -f'
is $? 71 "a guest that ends before its command is told apart"
like "$(cat "$work/err")" 'the guest ended before the command did' "with its message"

# The CPUs of this guest never start.
RT_VM_BOOT_LIMIT=2 vm --qemu -S -- true
is $? 71 "a guest that hangs while it boots is told apart"
is "$(grep -c 'booting it once more' "$work/err")" 1 "after a second attempt"

scripts/vm run 9.9-arm64 -- true 2>"$work/err"
is $? 2 "an unknown kernel is refused"
like "$(cat "$work/err")" "no kernel '9.9-arm64'" "by name"

done_testing
