// SPDX-License-Identifier: GPL-2.0
/*
 * ring.c - the writers' side of the ring.
 *
 * One ring belongs to one CPU.  Its writers are whatever runs there: a task, the softirq that
 * interrupts it, the interrupt inside that, an NMI, a breakpoint inside any of them.  They nest
 * strictly: who interrupts finishes before the interrupted goes on.  Nobody waits, nothing is
 * locked, interrupts stay as they are.  Readers are on other CPUs, or in user space, or look at
 * the memory after the machine has died.
 *
 * 1. What a reader sees
 *
 * Memory is divided into sub-buffers.  One of them is open: writers put records into it, one after
 * the other, until the next does not fit; then it is closed for good and another is opened.  Every
 * time a sub-buffer is used it gets the next sequence number, written in its header together with
 * its start time and the losses so far.
 *
 * A sub-buffer is wiped before it is opened, and a record begins with a head, a word that is never
 * zero.  That is all a reader has to know: walk from the header on; a zero word holds nothing, step
 * over it; any other word is the head of a record, step over its size; take those that say
 * committed.  Bytes of an earlier lap are not there to be mistaken for anything.  The rule holds at
 * every instant, also in the middle of a reserve: the place is claimed and its head not written,
 * so every word of it is still zero, and the next word that is not zero is the next record's head.
 * That is why the head is written before the time, and the time counts as part of the payload: it is
 * there when the record says committed, not before.
 *
 *	record:       free --claim--> (zero) --> PENDING --commit--> COMMITTED
 *	                                             \----discard--> DISCARDED
 *
 * 2. Reserve and commit
 *
 * rt_subbuf.claim is the only word that writers contend for.  It holds the offset reached, the time
 * of the last record and the lower bits of the lap, which is the sequence number / subbufs:
 *
 *	63            32 31      19 18       0
 *	| last time     | lap      | offset   |     offset in words of 4 bytes, time after start
 *
 * To reserve is to exchange it for one with a higher offset and a time not lower, by one
 * compare-and-exchange that need only be atomic against this CPU.  If somebody came in between it
 * fails and all is done again, the clock included: the order of places is the order of times, by
 * construction, and a clock that steps back is held by the time in the word.  The lap bits make a
 * claim that was read before the ring went round once (all of it inside one interrupt) fail too.
 *
 * A committed record has its state flipped by one release store of its head, 32 bits that are aligned; then its bytes are added to
 * rt_subbuf.commit.  Commits come in any order.  A sub-buffer is complete when the commit count has
 * reached its size, header, discarded records and unused rest included.
 *
 * 3. From one sub-buffer to the next
 *
 * ring->slot[seq % subbufs] is a word that says which piece of memory holds sequence number seq, and
 * its state.  It is the place where writers and the reader who swaps a spare in decide who has it.
 *
 *	slot:         published(seq - N) --cas--> PREPARING(seq) --cas--> published(seq)
 *	                                              \--cas--> SKIPPED(seq) ---/
 *	claim:        closed ------------------------> sealed ---cas--> open --cas--> closed
 *
 * The writer that finds no room (1) closes the sub-buffer: claims the rest and commits it; (2) turns
 * the next slot to PREPARING, which only one can do, and only if every record of its last lap is
 * committed and, in discard mode, the reader is through with it; otherwise the record is lost and
 * counted; (3) wipes it, writes its header, seals its claim; (4) publishes the slot.  (5) Whoever
 * comes to a published, sealed sub-buffer opens it.
 *
 * What if a writer is interrupted between 2 and 4, and the interrupting one needs room?  It cannot
 * wait, and it must not touch what the other is wiping.  It takes the slot after that one.  Before
 * it publishes, it marks the one it passed over as SKIPPED, so that the interrupted writer, when it
 * comes to publish, fails, leaves an empty sub-buffer, and looks for room again.  At most one
 * sub-buffer per level of nesting is wasted, only when an interrupt strikes in there, and nothing
 * is lost unless the ring has no other sub-buffer to give.
 *
 * ring->cur is a hint and may be stale, which costs a detour, never a wrong write: a sub-buffer can
 * be written to only while its claim is open, and only the newest published one ever is.
 * status->head only grows.  It is raised before a sub-buffer is opened, hence before the next can be
 * published: from it the newest is found in a few steps.  And
 *  - a sub-buffer is not prepared while a record in it is pending (its count is not complete),
 *    so a writer with a place in it can take all the time it likes;
 *  - a sub-buffer is not published before the one before it is closed, so times never go back from
 *    one sequence number to the next;
 *  - an interrupted writer's compare-and-exchange fails if anything was done meanwhile: a slot has
 *    its sequence number and never repeats; a claim would have to come by the same offset and the
 *    same nanosecond 8192 laps later, all of them inside one interrupt.
 *
 * 4. Losses
 *
 * Each attempt ends in exactly one of: a record committed, a record discarded, one count in
 * status->lost[cause].  The header of each sub-buffer has the counts as they were when it was
 * prepared.  In overwrite mode the records of a sub-buffer used again unread are added to
 * status->overwritten; that number is exact too, since by then all of them are committed.
 *
 * 5. Hostile readers
 *
 * The kernel reads one word that the user can write: control->consumed.  It only decides between
 * "free" and "lost".  A lie makes the liar's unread sub-buffers be written over or new records be
 * lost; whether a sub-buffer can be prepared at all hangs on the slot and the commit count, which the
 * user cannot write.
 *
 * 6. Barriers
 *
 * Between nested writers program order is enough.  Across CPUs (and to user space):
 *
 *	A  prepare(): wiped memory, start, lost   -> seq       smp_store_release
 *	   pairs with a reader's acquire of seq                (rt_ring_copy, rt_subbuf_began)
 *	   "who sees the number sees no byte of an earlier lap"
 *	B  rt_ring_finish(): time, payload     -> record head  smp_store_release
 *	   pairs with a reader's acquire of the record head    (rt_ring_copy, rt_subbuf_next_live)
 *	   "who sees committed sees the time and the payload"
 *	C  rt_ring_finish(): record state      -> commit count rt_add_release
 *	   pairs with a reader's acquire of commit             (rt_ring_take, rt_ring_copy, rt_subbuf_next_live)
 *	   "who sees the count complete sees every record's state and payload"
 *	D  the reader's reads of a sub-buffer  -> consumed     store-release in user space
 *	   pairs with the acquire of consumed                  (unusable)
 *	   "what is wiped has been read"
 *	E  rt_ring_take(): the reader is through with its spare -> slot  rt_cas, fully ordered
 *	   pairs with the writer's rt_cas of the same slot     (turn)
 *	   "what is wiped has been read", in overwrite mode
 *	F  turn(): slot PREPARING -> seq none, first wiped byte  rt_cas, fully ordered
 *	   pairs with smp_rmb between a reader's copy and its second look at the slot (rt_ring_copy)
 *	   "a copy during which the slot did not change has no wiped byte in it"
 */
#include "ring_reserve.h"

u32 *rt_ring_reserve_why(struct rt_ring *ring, u16 id, u32 payload, int *why)
{
	u32 *rec;

	rt_ring_reserve_here(ring, id, payload, &rec, why);
	return rec;
}
RT_PORT_NOPROBE(rt_ring_reserve_why);

void rt_ring_commit_part(struct rt_ring *ring, u32 *rec, u32 payload)
{
	u32 head = *rec, size = head & RT_RECORD_SIZE;
	u32 words = (u32 *)rt_record_payload(rec) - rec + (payload + RT_WORD - 1) / RT_WORD;
	u32 used = words * RT_WORD;

	if (used < size) {
		/* Not visible before the commit below: until then our size covers it. */
		rec[words] = (size - used) | RT_RECORD_DISCARDED;
		head = (head & ~RT_RECORD_SIZE) | used;
	}
	rt_ring_finish(ring, rec, head ^ RT_RECORD_PENDING ^ RT_RECORD_COMMITTED,
		       RT_ONE_RECORD + size);
}
RT_PORT_NOPROBE(rt_ring_commit_part);

/* --- off the fast path -------------------------------------------------------------- */

/* The newest published sub-buffer and what comes after it. */
struct view {
	struct rt_subbuf *sub; /* NULL: there is none */
	u64 claim;
	u64 seq;
	u64 next; /* the first number that nobody has; those between are being prepared below us */
};

static void lift(u64 *word, u64 to)
{
	u64 old;

	do {
		old = READ_ONCE(*word);
	} while (old < to && !rt_cas_local(word, old, to));
}

/* False: a nested writer moved things while we looked. */
static bool look(struct rt_ring *ring, struct view *v)
{
	u64 slot;

	v->seq = READ_ONCE(ring->status->head);
	for (v->next = v->seq + 1;; v->next++) {
		slot = READ_ONCE(*rt_slot_of(ring, v->next));
		if (rt_slot_seq(slot) != v->next)
			break;
		if (!(slot & RT_SLOT_PREPARING))
			v->seq = v->next;
	}
	slot = READ_ONCE(*rt_slot_of(ring, v->seq));
	if (rt_slot_seq(slot) != v->seq) {
		/* Lapped while we looked, or every one of them is being prepared below us. */
		v->sub = NULL;
		return slot & RT_SLOT_PREPARING;
	}
	v->sub = rt_slot_area(ring, slot);
	v->claim = READ_ONCE(v->sub->claim);
	rt_point(RT_AT_LOOKED);
	if (rt_claim_offset(v->claim) == RT_CLAIM_SEALED) {
		/* The head first: only an opened one can fill up, so the walk above stays short. */
		lift(&ring->status->head, v->seq);
		rt_point(RT_AT_LIFTED);
		/* If this fails, a nested writer has opened it: all the same. */
		rt_cas_local(&v->sub->claim, v->claim,
			     rt_claim_make(v->seq / ring->subbufs, RT_SUBBUF_HEAD_WORDS));
		rt_point(RT_AT_OPENED);
		WRITE_ONCE(ring->cur, v->sub);
		return false;
	}
	return true;
}

/* The newest time that a record in the sub-buffer may have. */
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

/* -1, or why the sub-buffer in `slot` cannot become number `next`. */
static int unusable(struct rt_ring *ring, const struct view *v, u64 slot)
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

/* The sub-buffer is ours alone: make it number `seq`, with `start` as its time. */
static void prepare(struct rt_ring *ring, struct rt_subbuf *sub, u64 seq, u64 start)
{
	int i;

	if (ring->mode == RT_MODE_OVERWRITE)
		rt_add_release(&ring->status->overwritten, RT_SUBBUF_RECORDS(sub->commit));
	/* An image taken from here on finds no lap at all instead of half of one. */
	WRITE_ONCE(sub->seq, RT_SEQ_NONE);
	barrier();
	rt_wipe(sub + 1, ring->words * RT_WORD - sizeof(*sub));
	rt_point(RT_AT_WIPED);

	sub->start = start;
	sub->overwritten = READ_ONCE(ring->status->overwritten);
	for (i = 0; i < RT_LOST_CAUSES; i++)
		sub->lost[i] = READ_ONCE(ring->status->lost[i]);
	sub->commit = sizeof(*sub);
	WRITE_ONCE(sub->claim, rt_claim_make(seq / ring->subbufs, RT_CLAIM_SEALED));
	smp_store_release(&sub->seq, seq); /* A */
	rt_point(RT_AT_SEALED);
}

/* Claim what is left of the sub-buffer.  False: a nested writer was faster. */
static bool shut(struct rt_ring *ring, const struct view *v)
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

/* Those that prepare a sub-buffer below us must not publish it after ours. */
static void skip(struct rt_ring *ring, const struct view *v)
{
	u64 seq, slot;

	for (seq = v->seq + 1; seq < v->next; seq++) {
		slot = READ_ONCE(*rt_slot_of(ring, seq));
		rt_cas(rt_slot_of(ring, seq), slot, slot | RT_SLOT_SKIPPED);
	}
}

static void notify(struct rt_ring *ring, u64 seq)
{
	if (ring->watermark && seq - READ_ONCE(ring->control->consumed) >= ring->watermark)
		ring->wake(ring);
}

/*
 * Close the newest sub-buffer and publish the next.  -1: look again, there may be room now;
 * otherwise the cause of the loss.
 */
static int turn(struct rt_ring *ring, const struct view *v)
{
	u64 *word = rt_slot_of(ring, v->next);
	u64 slot = READ_ONCE(*word), mine, start;
	struct rt_subbuf *sub = rt_slot_area(ring, slot);
	int cause;

	if (rt_slot_seq(slot) != v->next - ring->subbufs)
		return -1;
	cause = unusable(ring, v, slot);
	if (cause >= 0)
		return cause;
	if (!shut(ring, v))
		return -1;
	start = view_clock(ring, v);

	mine = rt_slot_make(v->next, (slot & RT_SLOT_INDEX) | RT_SLOT_PREPARING);
	if (!rt_cas(word, slot, mine)) /* E, F */
		return -1;
	rt_point(RT_AT_PREPARED);
	prepare(ring, sub, v->next, start);

	skip(ring, v);
	if (rt_cas(word, mine, mine & ~RT_SLOT_PREPARING)) {
		rt_point(RT_AT_PUBLISHED);
		notify(ring, v->next);
		return -1;
	}
	/* Skipped: leave it empty and complete. */
	WRITE_ONCE(sub->claim, rt_claim_make(v->next / ring->subbufs, ring->words));
	WRITE_ONCE(sub->commit, ring->words * RT_WORD);
	smp_store_release(word, mine & ~RT_SLOT_PREPARING);
	return -1;
}

static u32 *lost(struct rt_ring *ring, int cause, int *why)
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
		return lost(ring, RT_LOST_TOO_BIG, why);
	for (;;) {
		if (!look(ring, &v))
			continue;
		if (!v.sub)
			return lost(ring, RT_LOST_NESTED, why);
		time = view_clock(ring, &v);
		ext = time - READ_ONCE(v.sub->start) >= RT_RECORD_TIME_EXT ||
		      rt_claim_time(v.claim) == RT_RECORD_TIME_EXT;
		words = record_words(payload) + (ext ? sizeof(time) / RT_WORD : 0);

		if (rt_claim_offset(v.claim) + words > ring->words) {
			cause = turn(ring, &v);
			if (cause < 0)
				continue;
			return lost(ring, cause, why);
		}
		if (ext)
			lift(&ring->late, time);
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
RT_PORT_NOPROBE(rt_ring_reserve_slow);

int rt_ring_flush(struct rt_ring *ring)
{
	struct view v;

	for (;;) {
		if (!look(ring, &v))
			continue;
		if (!v.sub)
			return -EAGAIN;
		if (rt_claim_offset(v.claim) == RT_SUBBUF_HEAD_WORDS)
			return 0;
		if (turn(ring, &v) >= 0)
			return -EAGAIN;
	}
}
