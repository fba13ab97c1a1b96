/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ring.h - the ring of one CPU.  ring.c has the design, docs/ring.md the pictures.
 *
 * A writer, on the ring's own CPU with preemption off, in any context:
 *
 *	if (!rt_ring_enter(ring, context))
 *		return;                         (recursion, counted)
 *	rec = rt_ring_reserve(ring, id, bytes);
 *	if (rec) {                              (NULL: lost, counted)
 *		... fill rt_record_payload(rec) ...
 *		rt_ring_commit(ring, rec);      (or rt_ring_discard)
 *	}
 *	rt_ring_exit(ring, context);
 */
#ifndef RT_RING_H
#define RT_RING_H

#include "ring_port.h"
#include "uapi/ringtail.h"

/*
 * The contexts that can interrupt each other on one CPU, each with a guard of
 * its own.  A breakpoint can strike inside any of them, and inside our handler:
 * its context is the interrupted one plus RT_CTX_BREAK.
 */
enum rt_context {
	RT_CTX_TASK,
	RT_CTX_SOFTIRQ,
	RT_CTX_HARDIRQ,
	RT_CTX_NMI,
	RT_CTX_BREAK,
	RT_CTX_COUNT = 2 * RT_CTX_BREAK
};

#define RT_WORD ((u32)sizeof(u32)) /* records are made of these */

/* Where tests may come in between; the names say what has just been done. */
enum rt_point {
	RT_AT_LOADED,	/* a writer has read the claim */
	RT_AT_TIMED,	/* and the clock */
	RT_AT_CLAIMED,	/* has its place, the head is not written */
	RT_AT_PENDING,	/* the head says pending, nothing else is written */
	RT_AT_FLIPPED,	/* says committed, the bytes are not counted */
	RT_AT_LOOKED,	/* slow path: the newest sub-buffer is known */
	RT_AT_CLOSED,	/* the full sub-buffer is closed, its rest not counted */
	RT_AT_PREPARED, /* the next one is ours to prepare */
	RT_AT_WIPED,	/* and wiped */
	RT_AT_SEALED,	/* ready, not published */
	RT_AT_PUBLISHED,
	RT_AT_LIFTED,  /* the head knows it, the claim is still sealed */
	RT_AT_OPENED,  /* the hint is not yet set */
	RT_AT_CHOSEN,  /* a reader has chosen a sub-buffer */
	RT_AT_SWAPPED, /* has swapped the spare in */
	RT_AT_COPIED,  /* has copied one, not verified */
	RT_POINTS
};

struct rt_ring {
	/* Every reserve reads these. */
	struct rt_subbuf *cur; /* a hint: where there was room a moment ago */
	u32 words;	       /* of a record in a sub-buffer, header included */
	u32 payload_max;
	u8 busy[RT_CTX_COUNT]; /* written by its own context only */

	/* Written by this CPU's writers, off the fast path. */
	u64 late; /* newest time of an extended record, never goes back */

	/* Fixed. */
	u32 mode;
	u32 subbufs;
	u32 watermark;
	u32 spare; /* overwrite mode: index of the reader's sub-buffer, under the reader's lock */
	u64 next;  /* overwrite mode: what the reader wants next, under the reader's lock */
	struct rt_ring_status *status;
	struct rt_ring_control *control;
	void (*wake)(struct rt_ring *ring); /* from any context, NMI included */
	void *owner;			    /* whoever set wake() knows */

	u64 *slot; /* [subbufs]: sequence number, index and state; any CPU, by rt_cas() */
	struct rt_subbuf **area; /* [areas]: by index */
};

/* Memory that the caller brings; all of it zeroed, areas aligned to their size. */
struct rt_ring_setup {
	u32 cpu;
	u32 kind; /* RT_RING_* */
	u32 mode;
	u32 subbufs; /* a power of two */
	u32 subbuf_bytes;
	u32 watermark; /* wake the reader when so many sub-buffers wait; 0 never */
	const u8 *session;
	const u8 *boot_id;
	u64 *slot;		 /* subbufs */
	struct rt_subbuf **area; /* rt_ring_areas() */
	const u64 *phys;	 /* of each area */
	struct rt_ring_status *status;
	struct rt_ring_control *control;
	void (*wake)(struct rt_ring *ring);
};

static inline u32 rt_ring_areas(u32 mode, u32 subbufs)
{
	return subbufs + (mode == RT_MODE_OVERWRITE);
}

static inline u32 rt_ring_status_bytes(u32 mode, u32 subbufs)
{
	return sizeof(struct rt_ring_status) + rt_ring_areas(mode, subbufs) * sizeof(u64);
}

/* 0, or -EINVAL when the numbers are outside the limits of the uapi header. */
int rt_ring_check(const struct rt_ring_setup *setup);
int rt_ring_init(struct rt_ring *ring, const struct rt_ring_setup *setup);

/* Nobody writes any more: make the memory unfindable before it is given back. */
void rt_ring_wipe(struct rt_ring *ring);

/* --- writing: on the ring's CPU, preemption off --------------------------------- */

/* Room for `payload` bytes, or NULL: the loss is counted, and *why is its cause. */
u32 *rt_ring_reserve_why(struct rt_ring *ring, u16 id, u32 payload, int *why);

static inline u32 *rt_ring_reserve(struct rt_ring *ring, u16 id, u32 payload)
{
	int why;

	return rt_ring_reserve_why(ring, id, payload, &why);
}

/* Close the current sub-buffer if it holds anything, so that a reader can have all of it. */
int rt_ring_flush(struct rt_ring *ring);

static inline void rt_ring_lose(struct rt_ring *ring, int cause)
{
	rt_inc_local(&ring->status->lost[cause]);
}

static inline bool rt_ring_enter(struct rt_ring *ring, int context)
{
	if (unlikely(ring->busy[context])) {
		rt_ring_lose(ring, RT_LOST_RECURSION);
		return false;
	}
	WRITE_ONCE(ring->busy[context], 1);
	barrier();
	return true;
}

static inline void rt_ring_exit(struct rt_ring *ring, int context)
{
	barrier();
	WRITE_ONCE(ring->busy[context], 0);
}

/* For an NMI, or what runs as one: whether it came while another context was writing. */
static inline bool rt_ring_interrupted(const struct rt_ring *ring)
{
	return READ_ONCE(ring->busy[RT_CTX_TASK]) || READ_ONCE(ring->busy[RT_CTX_SOFTIRQ]) ||
	       READ_ONCE(ring->busy[RT_CTX_HARDIRQ]);
}

static inline void *rt_record_payload(u32 *rec)
{
	return rec + (rec[1] == RT_RECORD_TIME_EXT ? 4 : 2);
}

#define RT_ONE_RECORD (1ULL << 32) /* in rt_subbuf.commit */

/* The tail of commit and discard: the state flips, then the bytes count. */
static inline void rt_ring_finish(struct rt_ring *ring, u32 *rec, u32 head, u64 count)
{
	unsigned long bytes = ring->words * RT_WORD;
	struct rt_subbuf *sub = (void *)((unsigned long)rec & ~(bytes - 1));

	smp_store_release(rec, head); /* B */
	rt_point(RT_AT_FLIPPED);
	rt_add_release(&sub->commit, count); /* C */
}

static inline void rt_ring_commit(struct rt_ring *ring, u32 *rec)
{
	u32 head = *rec;

	rt_ring_finish(ring, rec, head ^ RT_RECORD_PENDING ^ RT_RECORD_COMMITTED,
		       RT_ONE_RECORD + (head & RT_RECORD_SIZE));
}

/* Give the room back: readers step over it. */
static inline void rt_ring_discard(struct rt_ring *ring, u32 *rec)
{
	u32 head = *rec;

	rt_ring_finish(ring, rec, head ^ RT_RECORD_PENDING ^ RT_RECORD_DISCARDED,
		       head & RT_RECORD_SIZE);
}

/* Commit only the first `payload` bytes of what was reserved. */
void rt_ring_commit_part(struct rt_ring *ring, u32 *rec, u32 payload);

/* --- reading: any CPU, one reader at a time; ring_reader.c ----------------------- */

/*
 * Overwrite mode: take the oldest closed sub-buffer out of the ring, in exchange
 * for the one taken before.  -EAGAIN: none, or its last writer is not yet done.
 */
int rt_ring_take(struct rt_ring *ring, struct rt_subbuf **sub);

/*
 * Copy what is committed in sub-buffer `seq`, which stays in the ring, to `to`
 * (subbuf_bytes).  -ENOENT: it is gone, or has not come yet.
 */
int rt_ring_copy(struct rt_ring *ring, u64 seq, void *to);

/* The sequence numbers that rt_ring_copy() can hope to find: [oldest, newest]. */
void rt_ring_span(struct rt_ring *ring, u64 *oldest, u64 *newest);

/* --- inside: shared by ring.c, ring_reader.c and their tests ---------------------- */

/*
 * A slot says which sub-buffer holds a sequence number: seq << 16 | state | index.
 */
#define RT_SLOT_INDEX	  0x3fffULL
#define RT_SLOT_PREPARING 0x4000ULL
#define RT_SLOT_SKIPPED	  0x8000ULL
#define RT_SLOT_SEQ_SHIFT 16

static inline u64 rt_slot_make(u64 seq, u64 index_and_state)
{
	return seq << RT_SLOT_SEQ_SHIFT | index_and_state;
}

static inline u64 rt_slot_seq(u64 slot)
{
	return slot >> RT_SLOT_SEQ_SHIFT;
}

static inline u64 *rt_slot_of(struct rt_ring *ring, u64 seq)
{
	return &ring->slot[seq & (ring->subbufs - 1)];
}

static inline struct rt_subbuf *rt_slot_area(struct rt_ring *ring, u64 slot)
{
	return ring->area[slot & RT_SLOT_INDEX];
}

#define RT_SUBBUF_HEAD_WORDS (sizeof(struct rt_subbuf) / RT_WORD) /* the first record's offset */

/* rt_subbuf.claim: time << 32 | lap << 19 | offset in words. */
#define RT_CLAIM_OFFSET	    0x7ffffULL
#define RT_CLAIM_LAP_SHIFT  19
#define RT_CLAIM_LAP	    0x1fffULL
#define RT_CLAIM_TIME_SHIFT 32
#define RT_CLAIM_SEALED	    RT_CLAIM_OFFSET /* an offset that no record fits behind */

static inline u64 rt_claim_make(u64 lap, u64 offset)
{
	return (lap & RT_CLAIM_LAP) << RT_CLAIM_LAP_SHIFT | offset;
}

static inline u32 rt_claim_offset(u64 claim)
{
	return claim & RT_CLAIM_OFFSET;
}

static inline u64 rt_claim_time(u64 claim)
{
	return claim >> RT_CLAIM_TIME_SHIFT;
}

/* The same place in the lap `words` further on, at `time`. */
static inline u64 rt_claim_next(u64 claim, u32 words, u64 time)
{
	return time << RT_CLAIM_TIME_SHIFT | (u32)(claim + words);
}

#endif
