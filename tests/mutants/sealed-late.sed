# SPDX-License-Identifier: GPL-2.0
# what: the claim is open before the sub-buffer is published
# file: module/ring/ring_switch.c
# caught by: unit ring_nest
/^	WRITE_ONCE(sub->claim, rt_claim_make(.*RT_CLAIM_SEALED));/s/RT_CLAIM_SEALED/RT_SUBBUF_HEAD_WORDS/
