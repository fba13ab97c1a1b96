# SPDX-License-Identifier: GPL-2.0
# what: a writer that found no room does not look whether there is some now
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
/^	if (!rt_cas_local(&v->sub->claim, v->claim,$/,/^		return false;/c\
	rt_cas_local(\&v->sub->claim, READ_ONCE(v->sub->claim), rt_claim_next(READ_ONCE(v->sub->claim), ring->words - rt_claim_offset(READ_ONCE(v->sub->claim)), rt_claim_time(v->claim)));
