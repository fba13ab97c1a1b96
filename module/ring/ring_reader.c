// SPDX-License-Identifier: GPL-2.0
/*
 * ring_reader.c - take and copy sub-buffers of a ring while its writers continue.
 *
 * Callers hold the reader's lock.  ring_writer.c explains the design and the letters of the
 * barriers.  In discard mode the user program reads the mapped ring by itself and needs only the
 * copy.
 */
#include "ring.h"

void rt_ring_span(struct rt_ring *ring, u64 *oldest, u64 *newest)
{
	u64 seq = READ_ONCE(ring->status->head), slot;

	/* The head may lag behind: an interrupted writer has published and not yet raised it. */
	for (;; seq++) {
		slot = READ_ONCE(*rt_slot_of(ring, seq + 1));
		if (rt_slot_seq(slot) != seq + 1 || (slot & RT_SLOT_PREPARING))
			break;
	}
	*newest = seq;
	*oldest = seq < 2 * (u64)ring->subbufs ? ring->subbufs : seq - ring->subbufs + 1;
}

/*
 * Never takes the newest sub-buffer, because a writer may need the last time in its claim.  To get
 * all records of a ring, call rt_ring_flush() first.
 */
int rt_ring_take(struct rt_ring *ring, struct rt_subbuf **sub)
{
	u64 seq, newest, slot, *word;
	struct rt_subbuf *taken;

	rt_ring_span(ring, &seq, &newest);
	if (seq < ring->next)
		seq = ring->next;
	rt_point(RT_AT_SPANNED);
	for (; seq < newest; seq++) {
		word = rt_slot_of(ring, seq);
		slot = READ_ONCE(*word);
		if (rt_slot_seq(slot) != seq)
			continue; /* the writers have lapped us: try the next number */
		taken = rt_slot_area(ring, slot);
		rt_point(RT_AT_SEEN);
		if ((slot & RT_SLOT_PREPARING) ||
		    RT_SUBBUF_COMMITTED(smp_load_acquire(&taken->commit)) !=
			    ring->words * RT_WORD) /* C */
			return -EAGAIN;
		rt_point(RT_AT_CHOSEN);
		/* The reader has read its spare: make it complete, with no record to overwrite. */
		WRITE_ONCE(ring->area[ring->spare]->commit, ring->words * RT_WORD);
		rt_point(RT_AT_SPARED);
		if (!rt_cas(word, slot, rt_slot_make(seq, ring->spare))) /* E */
			continue;
		rt_point(RT_AT_SWAPPED);
		ring->spare = slot & RT_SLOT_INDEX;
		WRITE_ONCE(ring->next, seq + 1);
		*sub = taken;
		return 0;
	}
	return -EAGAIN;
}

/* Copy a record that was pending when the walk passed it.  False: it still is. */
static bool copy_late(u32 *from, u32 *to, u64 *commit)
{
	u32 size = *to & RT_RECORD_SIZE, now = smp_load_acquire(from); /* B */
	u32 used = now & RT_RECORD_SIZE;

	rt_point(RT_AT_WALKED);
	/* If it has grown, it is of a later lap, and nobody uses this copy. */
	if ((now & RT_RECORD_STATE) <= RT_RECORD_PENDING || !used || used > size)
		return false;
	if ((now & RT_RECORD_STATE) == RT_RECORD_COMMITTED) {
		rt_copy_racy(to, from, used);
		*commit += RT_ONE_RECORD;
	}
	*to = now;
	if (used < size) /* as rt_ring_commit_part() leaves it */
		to[used / RT_WORD] = (size - used) | RT_RECORD_CANCELLED;
	return true;
}

/*
 * While the walk goes from one record to the next, a writer may commit the first one and others
 * behind it: without a second look the copy would have a gap that the ring never had.  A commit
 * releases all that its CPU did before (B).  So after a pass that finds nothing new, a record that is
 * still pending was interrupted by those that were copied behind it.
 */
static bool look_again(u32 *from, u32 *out, u32 end, u64 *commit)
{
	bool found = false;
	u32 at, step;

	for (at = RT_SUBBUF_HEAD_WORDS; at < end; at += step) {
		step = (out[at] & RT_RECORD_SIZE) / RT_WORD;
		if ((out[at] & RT_RECORD_STATE) == RT_RECORD_PENDING)
			found |= copy_late(from + at, out + at, commit);
	}
	return found;
}

/*
 * Copy a sub-buffer that is not complete: only records whose heads are written, and payloads only
 * of committed ones.  The walk ends at the first zero head: behind it, another CPU may see the
 * payload of a record before its head.
 */
static void copy_open(struct rt_ring *ring, u32 *from, struct rt_subbuf *to)
{
	u32 *out = (u32 *)to, head, at, size;
	u64 commit = sizeof(*to);

	memset(to + 1, 0, ring->words * RT_WORD - sizeof(*to));
	for (at = RT_SUBBUF_HEAD_WORDS; at < ring->words; at += size) {
		head = smp_load_acquire(&from[at]); /* B */
		rt_point(RT_AT_WALKED);
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
	while (look_again(from, out, at, &commit))
		;
	to->commit = commit;
}

int rt_ring_copy(struct rt_ring *ring, u64 seq, void *to)
{
	u64 *word = rt_slot_of(ring, seq), slot = READ_ONCE(*word);
	struct rt_subbuf *from = rt_slot_area(ring, slot);

	rt_point(RT_AT_SEEN);
	if (rt_slot_seq(slot) != seq || (slot & RT_SLOT_PREPARING) ||
	    smp_load_acquire(&from->seq) != seq) /* A */
		return -ENOENT;
	rt_point(RT_AT_NUMBERED);
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
