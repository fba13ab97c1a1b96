# SPDX-License-Identifier: GPL-2.0
# what: the last word of a sub-buffer is never used
# file: module/ring/ring_switch.c module/ring/ring_reserve.h
# caught by: unit ring_write
s/rt_claim_offset(claim) + words > ring->words/rt_claim_offset(claim) + words >= ring->words/
s/rt_claim_offset(v\.claim) + words > ring->words/rt_claim_offset(v.claim) + words >= ring->words/
