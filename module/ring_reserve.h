/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ring_reserve.h - the fast way through rt_ring_reserve_why(), for callers who want it without
 * a call.  Whatever is rare goes to rt_ring_reserve_slow().  ring.c has the reasons.
 */
#ifndef RT_RING_RESERVE_H
#define RT_RING_RESERVE_H

#include "ring.h"

u64 *rt_ring_reserve_slow(struct rt_ring *ring, u16 id, u32 payload, int *why);

static __always_inline u32 record_words(u32 payload)
{
	return (payload + 8 + RT_RECORD_ALIGN - 1) / 8;
}

static __always_inline u64 record_head(u64 time, u16 id, u32 words)
{
	return time << RT_RECORD_TIME_SHIFT | (u64)id << RT_RECORD_ID_SHIFT | words * 8 |
	       RT_RECORD_PENDING;
}

/* The claim is ours: write the header that says so. */
static __always_inline u64 *record_begin(struct rt_subbuf *sub, u64 claim, u64 head)
{
	u64 *rec = (u64 *)sub + rt_claim_offset(claim);

	rt_point(RT_AT_CLAIMED);
	WRITE_ONCE(*rec, head);
	rt_point(RT_AT_PENDING);
	return rec;
}

/* Where the payload goes, and in *REC the record; or NULL for both. */
static __always_inline u64 *rt_ring_reserve_here(struct rt_ring *ring, u16 id, u32 payload,
						 u64 **rec, int *why)
{
	u32 words = record_words(payload);
	struct rt_subbuf *sub;
	u64 claim, time;

	if (unlikely(payload > ring->payload_max))
		goto slow;
	do {
		sub = READ_ONCE(ring->cur);
		claim = READ_ONCE(sub->claim);
		rt_point(RT_AT_LOADED);
		if (unlikely(rt_claim_offset(claim) + words > ring->words))
			goto slow;

		time = rt_port_clock() - READ_ONCE(sub->start);
		if (unlikely((s64)(time - rt_claim_time(claim)) < 0))
			time = rt_claim_time(claim);
		if (unlikely(time >= RT_RECORD_TIME_MAX))
			goto slow;
		rt_point(RT_AT_TIMED);
	} while (unlikely(!rt_cas_local(&sub->claim, claim, rt_claim_next(claim, words, time))));

	*rec = record_begin(sub, claim, record_head(time, id, words));
	return *rec + 1; /* the extended form is not made here */

slow:
	*rec = rt_ring_reserve_slow(ring, id, payload, why);
	return *rec ? rt_record_payload(*rec) : NULL;
}

#endif
