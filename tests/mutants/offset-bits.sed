# SPDX-License-Identifier: GPL-2.0
# what: the claim has a bit too few for the end of the largest sub-buffer
# file: module/ring/ring.h
# caught by: unit ring_write
s/^#define RT_CLAIM_OFFSET	    0x7ffffULL/#define RT_CLAIM_OFFSET	    0x3ffffULL/
s/^#define RT_CLAIM_LAP_SHIFT  19/#define RT_CLAIM_LAP_SHIFT  18/
