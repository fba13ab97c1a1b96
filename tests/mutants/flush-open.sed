# SPDX-License-Identifier: GPL-2.0
# what: a flush does not ask whether there is room
# file: module/ring/ring_switch.c
# caught by: unit ring_wake
s/if (rt_claim_offset(v.claim) == RT_SUBBUF_HEAD_WORDS)/if (0)/
