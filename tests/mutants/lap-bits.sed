# SPDX-License-Identifier: GPL-2.0
# what: the claim does not say which lap it is of
# file: module/ring/ring.h
# caught by: unit ring_time
s/^#define RT_CLAIM_LAP	    0x1fffULL/#define RT_CLAIM_LAP	    0ULL/
