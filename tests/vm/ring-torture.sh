#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# vm: flavours="*" smp=3 mem=512 timeout=240 threads=1 default="@(newest-*|6.1-*)"
#
# The ring with nested writers in this kernel: tasks, softirqs, interrupts, breakpoints, NMIs.
# tests/modules/rt_ring_torture.c runs them and checks the result.

. ./lib/tap.sh

seconds=4
[ "${RT_LEVEL:-default}" = default ] || seconds=30

torture() { # MODE SUBBUFS KB WHAT
	dmesg -c >/dev/null
	ok "$4" insmod /rt/modules/rt_ring_torture.ko mode="$1" subbufs="$2" subbuf_kb="$3" \
		seconds=$seconds
	dmesg | sed -n 's/.*rt_ring_torture: /# /p'
	rmmod rt_ring_torture 2>/dev/null
}

torture 0 2 4 'discard, the smallest ring'
torture 0 16 16 'discard, a larger one'
torture 1 2 4 'overwrite, the smallest ring'
torture 1 16 16 'overwrite, a larger one'

like "$(dmesg)" 'breakpoints in task [1-9]' 'breakpoints struck inside the writers'
case $(uname -m) in
x86_64) like "$(dmesg)" 'nmi [1-9]' 'NMIs struck' ;;
*)
	if grep -qw irqchip.gicv3_pseudo_nmi=1 /proc/cmdline; then
		like "$(dmesg)" 'nmi [1-9]' 'pseudo-NMIs struck'
	else
		skip 'NMIs struck' 'no NMIs on this machine'
	fi
	;;
esac
done_testing
