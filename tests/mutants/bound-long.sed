# SPDX-License-Identifier: GPL-2.0
# what: a record may end one word behind its sub-buffer
# file: module/ring/ring_reserve.h
# caught by: unit ring_write
s/rt_claim_offset(claim) + words > ring->words/rt_claim_offset(claim) + words > ring->words + 1/
