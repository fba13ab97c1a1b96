/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ring_reserve.h - the fast path of rt_ring_reserve_why(), for callers that want it inlined.  All
 * rare cases go to rt_ring_reserve_slow().  ring_writer.c explains the design.
 */
#ifndef RT_RING_RESERVE_H
#define RT_RING_RESERVE_H

#include "ring.h"

u32 *rt_ring_reserve_slow(struct rt_ring *ring, u16 id, u32 payload, int *why);

static __always_inline u32 record_words(u32 payload)
{
	return (payload + RT_RECORD_HEADER + RT_WORD - 1) / RT_WORD;
}

/*
 * We own the claimed space: write the head.  No other word of the space may be written before it:
 * while the head is zero, readers expect all of the space to be zero.
 */
static __always_inline u32 *record_begin(struct rt_subbuf *sub, u64 claim, u32 time, u16 id,
					 u32 words)
{
	u32 *rec = (u32 *)sub + rt_claim_offset(claim);

	rt_hide(rec); /* one address for all words */
	rt_point(RT_AT_CLAIMED);
	WRITE_ONCE(rec[0], (u32)id << RT_RECORD_ID_SHIFT | words * RT_WORD | RT_RECORD_PENDING);
	rt_point(RT_AT_PENDING);
	WRITE_ONCE(rec[1], time);
	return rec;
}

/*
 * Returns where the payload goes and sets *rec to the record and *in to its sub-buffer; all are NULL if it
 * is lost.
 */
static __always_inline void *rt_ring_reserve_in(struct rt_ring *ring, u16 id, u32 payload,
						u32 **rec, struct rt_subbuf **in, int *why)
{
	u32 words = record_words(payload);
	struct rt_subbuf *sub;
	u64 claim, time;
	u32 *at;

	/* A small payload fits into every ring. */
	if (!(__builtin_constant_p(payload) && payload <= RT_RING_PAYLOAD_SURE) &&
	    unlikely(payload > ring->payload_max))
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
		if (unlikely(time >= RT_RECORD_TIME_EXT))
			goto slow;
		rt_hide(claim); /* the offset is cheaper to compute again than to keep */
		rt_point(RT_AT_TIMED);
	} while (unlikely(!rt_cas_local(&sub->claim, claim, rt_claim_next(claim, words, time))));

	*rec = record_begin(sub, claim, time, id, words);
	at = *rec + 2; /* only the slow path makes extended records */
	if (!*rec || !at)
		__builtin_unreachable(); /* the compiler does not see that they are inside the ring */
	*in = sub;
	return at;

slow:
	*rec = rt_ring_reserve_slow(ring, id, payload, why);
	*in = rt_subbuf_of(ring, *rec);
	return *rec ? rt_record_payload(*rec) : NULL;
}

/* The same for callers that do not keep the sub-buffer. */
static __always_inline void *rt_ring_reserve_here(struct rt_ring *ring, u16 id, u32 payload,
						  u32 **rec, int *why)
{
	struct rt_subbuf *in;

	return rt_ring_reserve_in(ring, id, payload, rec, &in, why);
}

#endif
