// SPDX-License-Identifier: GPL-2.0
/*
 * ring_switch.c - the writers' slow path: close a sub-buffer, open the next one, count losses.
 * ring_writer.c explains the design and the letters of the barriers.
 */
#include "ring_reserve.h"

/* The newest published sub-buffer and what comes after it. */
struct view {
	struct rt_subbuf *sub; /* NULL: none is published */
	u64 claim;
	u64 seq;
	u64 next; /* first unused number; interrupted writers prepare those between seq and it */
};

/* True: we raised the word.  False: it was already as high. */
static bool raise_word(u64 *word, u64 to)
{
	u64 old;

	do {
		old = READ_ONCE(*word);
		if (old >= to)
			return false;
		rt_point(RT_AT_RAISING);
	} while (!rt_cas_local(word, old, to));
	return true;
}

/* False: look again.  We opened a sub-buffer, or a nested writer changed the ring meanwhile. */
static bool find_newest(struct rt_ring *ring, struct view *v)
{
	bool raised;
	u64 slot;

	v->seq = READ_ONCE(ring->status->head);
	for (v->next = v->seq + 1;; v->next++) {
		slot = READ_ONCE(*rt_slot_of(ring, v->next));
		if (rt_slot_seq(slot) != v->next)
			break;
		if (!(slot & RT_SLOT_PREPARING))
			v->seq = v->next;
	}
	rt_point(RT_AT_SOUGHT);
	slot = READ_ONCE(*rt_slot_of(ring, v->seq));
	if (rt_slot_seq(slot) != v->seq) {
		/* Nested writers lapped us, or interrupted writers are preparing every slot. */
		v->sub = NULL;
		return slot & RT_SLOT_PREPARING;
	}
	v->sub = rt_slot_area(ring, slot);
	v->claim = READ_ONCE(v->sub->claim);
	rt_point(RT_AT_LOOKED);
	if (rt_claim_offset(v->claim) == RT_CLAIM_SEALED) {
		/* The head first: only an open one can fill up, so the walk above stays short. */
		raised = raise_word(&ring->status->head, v->seq);
		rt_point(RT_AT_LIFTED);
		/* If this fails, a nested writer has opened it, which is just as good. */
		rt_cas_local(&v->sub->claim, v->claim,
			     rt_claim_make(v->seq / ring->subbufs, RT_SUBBUF_HEAD_WORDS));
		rt_point(RT_AT_OPENED);
		WRITE_ONCE(ring->cur, v->sub);
		rt_point(RT_AT_HINTED);
		/* Wake if we raised the head, and only now: the woken reader looks at the head. */
		if (raised && rt_ring_ready(ring))
			ring->wake(ring);
		return false;
	}
	return true;
}

/* No record in the sub-buffer has a newer time than this. */
static u64 view_time(struct rt_ring *ring, const struct view *v)
{
	if (rt_claim_time(v->claim) == RT_RECORD_TIME_EXT)
		return READ_ONCE(ring->late);
	return READ_ONCE(v->sub->start) + rt_claim_time(v->claim);
}

static u64 view_clock(struct rt_ring *ring, const struct view *v)
{
	u64 now = rt_port_clock(), last = view_time(ring, v);

	return (s64)(now - last) < 0 ? last : now;
}

/* -1: the sub-buffer in `slot` can become number v->next; otherwise the cause of the loss. */
static int slot_unusable(struct rt_ring *ring, const struct view *v, u64 slot)
{
	struct rt_subbuf *sub = rt_slot_area(ring, slot);
	u64 consumed;

	if (slot & RT_SLOT_PREPARING)
		return RT_LOST_NESTED;
	if (RT_SUBBUF_COMMITTED(READ_ONCE(sub->commit)) != ring->words * RT_WORD)
		return RT_LOST_NESTED;
	if (ring->mode == RT_MODE_OVERWRITE)
		return -1;
	consumed = smp_load_acquire(&ring->control->consumed); /* D */
	if ((s64)(consumed - rt_slot_seq(slot)) > 0)
		return -1;
	return v->next == v->seq + 1 ? RT_LOST_FULL : RT_LOST_NESTED;
}

/*
 * The start time and the counts for the header of the next sub-buffer.  We read them before we take
 * its slot.  A nested writer that passes our slot over reads them later and uses a higher number,
 * so they never go back from one number to the next.
 */
struct past {
	u64 start;
	u64 overwritten;
	u64 lost[RT_LOST_CAUSES];
};

static void past_read(struct rt_ring *ring, const struct view *v, struct past *past)
{
	int i;

	past->start = view_clock(ring, v);
	past->overwritten = READ_ONCE(ring->status->overwritten);
	for (i = 0; i < RT_LOST_CAUSES; i++)
		past->lost[i] = READ_ONCE(ring->status->lost[i]);
}

/* We own the sub-buffer (its slot is PREPARING): make it number `seq`. */
static void prepare_subbuf(struct rt_ring *ring, struct rt_subbuf *sub, u64 seq,
			   const struct past *past)
{
	int i;

	if (ring->mode == RT_MODE_OVERWRITE)
		rt_add_release(&ring->status->overwritten, RT_SUBBUF_RECORDS(sub->commit));
	rt_point(RT_AT_COUNTED);
	/* From here on an image shows a sub-buffer without a number, not half a lap. */
	WRITE_ONCE(sub->seq, RT_SEQ_NONE);
	barrier();
	rt_point(RT_AT_UNNUMBERED);
	rt_wipe(sub + 1, ring->words * RT_WORD - sizeof(*sub));
	rt_point(RT_AT_WIPED);

	sub->start = past->start;
	sub->overwritten = past->overwritten;
	for (i = 0; i < RT_LOST_CAUSES; i++)
		sub->lost[i] = past->lost[i];
	WRITE_ONCE(sub->commit, sizeof(*sub)); /* a reader that chose it earlier may read this */
	rt_point(RT_AT_HEADED);
	WRITE_ONCE(sub->claim, rt_claim_make(seq / ring->subbufs, RT_CLAIM_SEALED));
	rt_point(RT_AT_READY);
	smp_store_release(&sub->seq, seq); /* A */
	rt_point(RT_AT_SEALED);
}

/* Claim and commit the rest of the sub-buffer.  False: a nested writer changed the claim. */
static bool close_subbuf(struct rt_ring *ring, const struct view *v)
{
	u32 rest = ring->words - rt_claim_offset(v->claim);

	if (!rest)
		return true;
	if (!rt_cas_local(&v->sub->claim, v->claim,
			  rt_claim_next(v->claim, rest, rt_claim_time(v->claim))))
		return false;
	rt_point(RT_AT_CLOSED);
	rt_add_release(&v->sub->commit, rest * RT_WORD);
	return true;
}

/* Mark the slots that interrupted writers prepare: these must not publish them after ours. */
static void skip_slot(struct rt_ring *ring, const struct view *v)
{
	u64 seq, slot;

	for (seq = v->seq + 1; seq < v->next; seq++) {
		slot = READ_ONCE(*rt_slot_of(ring, seq));
		rt_cas(rt_slot_of(ring, seq), slot, slot | RT_SLOT_SKIPPED);
	}
}

/*
 * Close the newest sub-buffer and publish the next one.  -1: look again, there may be room now;
 * otherwise the cause of the loss.
 */
static int switch_subbuf(struct rt_ring *ring, const struct view *v)
{
	u64 *word = rt_slot_of(ring, v->next);
	u64 slot = READ_ONCE(*word), mine;
	struct rt_subbuf *sub = rt_slot_area(ring, slot);
	struct past past;
	int cause;

	if (rt_slot_seq(slot) != v->next - ring->subbufs)
		return -1;
	cause = slot_unusable(ring, v, slot);
	if (cause >= 0)
		return cause;
	rt_point(RT_AT_USABLE);
	if (!close_subbuf(ring, v))
		return -1;
	rt_point(RT_AT_SHUT);
	past_read(ring, v, &past);
	rt_point(RT_AT_STAMPED);

	mine = rt_slot_make(v->next, (slot & RT_SLOT_INDEX) | RT_SLOT_PREPARING);
	if (!rt_cas(word, slot, mine)) /* E, F */
		return -1;
	rt_point(RT_AT_PREPARED);
	prepare_subbuf(ring, sub, v->next, &past);

	skip_slot(ring, v);
	rt_point(RT_AT_PASSED);
	if (rt_cas(word, mine, mine & ~RT_SLOT_PREPARING)) {
		rt_point(RT_AT_PUBLISHED);
		return -1;
	}
	/* A nested writer skipped it: leave it empty and complete. */
	WRITE_ONCE(sub->claim, rt_claim_make(v->next / ring->subbufs, ring->words));
	WRITE_ONCE(sub->commit, ring->words * RT_WORD);
	rt_point(RT_AT_LEFT);
	smp_store_release(word, mine & ~RT_SLOT_PREPARING); /* G */
	return -1;
}

static u32 *count_lost(struct rt_ring *ring, int cause, int *why)
{
	rt_ring_lose(ring, cause);
	*why = cause;
	return NULL;
}

noinline u32 *rt_ring_reserve_slow(struct rt_ring *ring, u16 id, u32 payload, int *why)
{
	struct view v;
	u32 words, *rec;
	u64 time;
	bool ext;
	int cause;

	if (payload > ring->payload_max)
		return count_lost(ring, RT_LOST_TOO_BIG, why);
	for (;;) {
		if (!find_newest(ring, &v))
			continue;
		if (!v.sub)
			return count_lost(ring, RT_LOST_NESTED, why);
		time = view_clock(ring, &v);
		ext = time - READ_ONCE(v.sub->start) >= RT_RECORD_TIME_EXT ||
		      rt_claim_time(v.claim) == RT_RECORD_TIME_EXT;
		words = record_words(payload) + (ext ? sizeof(time) / RT_WORD : 0);

		if (rt_claim_offset(v.claim) + words > ring->words) {
			cause = switch_subbuf(ring, &v);
			if (cause < 0)
				continue;
			return count_lost(ring, cause, why);
		}
		if (ext)
			raise_word(&ring->late, time);
		else
			time -= READ_ONCE(v.sub->start);
		if (rt_cas_local(&v.sub->claim, v.claim,
				 rt_claim_next(v.claim, words, ext ? RT_RECORD_TIME_EXT : time)))
			break;
	}
	WRITE_ONCE(ring->cur, v.sub);
	if (!ext)
		return record_begin(v.sub, v.claim, time, id, words);

	rec = record_begin(v.sub, v.claim, RT_RECORD_TIME_EXT, id, words);
	*(rt_payload_u64 *)(rec + 2) = time;
	return rec;
}
RT_RING_NOPROBE(rt_ring_reserve_slow);

int rt_ring_flush(struct rt_ring *ring)
{
	struct view v;

	for (;;) {
		if (!find_newest(ring, &v))
			continue;
		if (!v.sub)
			return -EAGAIN;
		if (rt_claim_offset(v.claim) == RT_SUBBUF_HEAD_WORDS)
			return 0;
		if (switch_subbuf(ring, &v) >= 0)
			return -EAGAIN;
	}
}
