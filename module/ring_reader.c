// SPDX-License-Identifier: GPL-2.0
/*
 * ring_reader.c - taking sub-buffers out of a ring whose writers do not stop.
 *
 * Callers hold the reader's lock; the essay and the barrier letters are in ring.c.
 * In discard mode the user reads the mapping by itself and needs none of this.
 */
#include "ring.h"

void rt_ring_span(struct rt_ring *ring, u64 *oldest, u64 *newest)
{
	u64 seq = READ_ONCE(ring->status->head), slot;

	/* The head may lag behind by what an interrupted writer has published. */
	for (;; seq++) {
		slot = READ_ONCE(*rt_slot_of(ring, seq + 1));
		if (rt_slot_seq(slot) != seq + 1 || (slot & RT_SLOT_PREPARING))
			break;
	}
	*newest = seq;
	*oldest = seq < 2 * (u64)ring->subbufs ? ring->subbufs : seq - ring->subbufs + 1;
}

/*
 * The newest one is left alone: its writer may need its last time.  So all of
 * a ring can be had only after rt_ring_flush().
 */
int rt_ring_take(struct rt_ring *ring, struct rt_subbuf **sub)
{
	u64 seq, newest, slot, *word;
	struct rt_subbuf *taken;

	rt_ring_span(ring, &seq, &newest);
	if (seq < ring->next)
		seq = ring->next;
	for (; seq < newest; seq++) {
		word = rt_slot_of(ring, seq);
		slot = READ_ONCE(*word);
		if (rt_slot_seq(slot) != seq)
			continue; /* the writers have lapped us: the next one is older now */
		taken = rt_slot_area(ring, slot);
		if ((slot & RT_SLOT_PREPARING) ||
		    RT_SUBBUF_COMMITTED(smp_load_acquire(&taken->commit)) !=
			    ring->words * RT_WORD) /* C */
			return -EAGAIN;
		rt_point(RT_AT_CHOSEN);
		/* What goes in has been read: it counts as complete, and as nothing lost. */
		WRITE_ONCE(ring->area[ring->spare]->commit, ring->words * RT_WORD);
		if (!rt_cas(word, slot, rt_slot_make(seq, ring->spare))) /* E */
			continue;
		rt_point(RT_AT_SWAPPED);
		ring->spare = slot & RT_SLOT_INDEX;
		ring->next = seq + 1;
		*sub = taken;
		return 0;
	}
	return -EAGAIN;
}

/*
 * A sub-buffer that is still written to: only what its heads vouch for.  A place
 * claimed whose head is not there yet ends the walk: on another CPU its payload
 * might be seen before its size.
 */
static void copy_open(struct rt_ring *ring, u32 *from, struct rt_subbuf *to)
{
	u32 *out = (u32 *)to, head, at, size;
	u64 commit = sizeof(*to);

	memset(to + 1, 0, ring->words * RT_WORD - sizeof(*to));
	for (at = RT_SUBBUF_HEAD_WORDS; at < ring->words; at += size) {
		head = smp_load_acquire(&from[at]); /* B */
		size = (head & RT_RECORD_SIZE) / RT_WORD;
		if (!size || size > ring->words - at)
			break;
		if ((head & RT_RECORD_STATE) == RT_RECORD_COMMITTED) {
			rt_copy_racy(out + at, from + at, size * RT_WORD);
			commit += RT_ONE_RECORD;
		}
		out[at] = head;
		commit += size * RT_WORD;
	}
	to->commit = commit;
}

int rt_ring_copy(struct rt_ring *ring, u64 seq, void *to)
{
	u64 *word = rt_slot_of(ring, seq), slot = READ_ONCE(*word);
	struct rt_subbuf *from = rt_slot_area(ring, slot);

	if (rt_slot_seq(slot) != seq || (slot & RT_SLOT_PREPARING) ||
	    smp_load_acquire(&from->seq) != seq) /* A */
		return -ENOENT;
	if (RT_SUBBUF_COMMITTED(smp_load_acquire(&from->commit)) == ring->words * RT_WORD) { /* C */
		rt_copy_racy(to, from, ring->words * RT_WORD);
	} else {
		rt_copy_racy(to, from, sizeof(*from));
		copy_open(ring, (u32 *)from, to);
	}
	rt_point(RT_AT_COPIED);
	smp_rmb(); /* F */
	return READ_ONCE(*word) == slot ? 0 : -ENOENT;
}
