#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
#
# script-guest - the same as script-host over recordings made in a guest: what its kernel
# and CPU have and the host may not (kprobes, a PMU, breakpoints, many tracepoints), read
# with the guest's kallsyms.

set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/tap.sh
. tests/host/lib/corpus.sh
corpus_guest || { echo "Bail out! the guest could not record"; exit 1; }

for file in "$corpus"/*.data; do
	name=$(basename "$file" .data)
	compat=
	case $name in *-g | many | zstd | cycles) compat=--compat ;; esac
	same "$name: default" "$file" --kallsyms "$corpus/kallsyms"
	same "$name: -F comm,pid,tid,time,event" "$file" --kallsyms "$corpus/kallsyms" -F comm,pid,tid,time,event
	same "$name: -F +misc,-time --ns" "$file" --kallsyms "$corpus/kallsyms" -F +misc,-time --ns
	same "$name: -G" "$file" --kallsyms "$corpus/kallsyms" -G
	same "$name: -D" "$file" --kallsyms "$corpus/kallsyms" -D
done
compat=
for name in kprobe kprobe-g syscalls tracepoints breakpoint raw cycles; do
	[ -e "$corpus/$name.data" ] || continue
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
