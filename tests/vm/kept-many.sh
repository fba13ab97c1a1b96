#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# vm: smp=1 icount=1 mem=1024 append=mem=768M timeout=600 default="newest-*"
#
# Rings of thousands of sub-buffers in the memory that the next boot leaves alone take no longer than in
# ordinary memory, in guest instructions, and time in proportion to their number.

. ./lib/tap.sh

# Behind the 768 MB that the kernel is told of.
case $(uname -m) in
aarch64) recover=0x70000000,128M ;;
*) recover=0x30000000,128M ;;
esac
insmod /rt/ringtail.ko recover=$recover || exit

measure() { # SUBBUFS [kept]: sets make and gone
	line=$(kept-many "$@" 2>&1)
	diag "$*: $line"
	read -r make gone <<-END
		$line
	END
}

measure 1024 kept
few=$make
measure 8192
ordinary_make=$make ordinary_gone=$gone
for again in 1 2; do
	measure 8192 kept
	ok "$again: 8,192 sub-buffers are made in at most 16 times the time of 1,024" [ "$make" -le $((16 * few)) ]
	ok "and not much slower than in ordinary memory" [ "$make" -le $((2 * ordinary_make)) ]
	ok "and are freed as fast" [ "$gone" -le $((2 * ordinary_gone)) ]
done
ok "ringtail unloads" rmmod ringtail
done_testing
