#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# check: level=all
#
# script-guest - the same as script-host over recordings made in a guest: what its kernel
# and CPU have and the host may not (kprobes, a PMU, breakpoints, many tracepoints), read
# with the guest's kallsyms.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/host/lib/corpus.sh
. tests/host/lib/compare.sh
corpus_guest || { echo "Bail out! the guest could not record"; exit 1; }

# In the stacks of arm64, ringtail leaves out callers that perf makes up.
compat_of() { # NAME
	compat=
	case $corpus_kernel:$1 in *-arm64:*-g | *-arm64:many | *-arm64:zstd | *-arm64:cycles | *-arm64:pipe) compat=--compat ;; esac
}

for file in "$corpus"/*.data; do
	name=$(basename "$file" .data)
	compat_of "$name"
	same "$name: default" "$file" --kallsyms "$corpus/kallsyms"
	same "$name: -D" "$file" --kallsyms "$corpus/kallsyms" -D
	same "$name: -F comm,pid,tid,time,event" "$file" --kallsyms "$corpus/kallsyms" -F comm,pid,tid,time,event
	same "$name: -F +misc,-time --ns" "$file" --kallsyms "$corpus/kallsyms" -F +misc,-time --ns
	same "$name: -G" "$file" --kallsyms "$corpus/kallsyms" -G
done
for name in kprobe kprobe-g syscalls tracepoints breakpoint raw cycles; do
	[ -e "$corpus/$name.data" ] || continue
	compat_of "$name"
	case $name in
	kprobe | syscalls | tracepoints) fields='comm,cpu,event,trace time,trace trace:comm,trace -cpu' ;;
	kprobe-g) fields='comm,trace,ip,sym event,ip,sym,dso' ;;
	raw) fields='raw:event,addr,ip,sym comm,addr event,period' ;;
	*) fields='ip,sym,symoff,dso event,period,ip comm,tid,cpu,ip,sym' ;;
	esac
	for set in $fields; do
		same "$name: -F $set" "$corpus/$name.data" --kallsyms "$corpus/kallsyms" -F "$set"
	done
done
for name in kprobe tracepoints breakpoint; do
	[ -e "$corpus/$name.data" ] && continue
	diag "$name was not recorded: $(grep "^$name:" "$corpus/log")"
	tap_point 1 "$name is in the corpus"
done
done_testing
