/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ring.h - the ring of one CPU.  ring_writer.c has the design, docs/ring.md the pictures.
 *
 * A writer runs on the ring's own CPU with preemption off, in any context:
 *
 *	if (!rt_ring_enter(ring, context))
 *		return;                         (recursion; it has been counted)
 *	rec = rt_ring_reserve(ring, id, bytes);
 *	if (rec) {                              (NULL: lost; it has been counted)
 *		... fill rt_record_payload(rec) ...
 *		rt_ring_commit(ring, rec);      (or rt_ring_cancel)
 *	}
 *	rt_ring_exit(ring, context);
 *
 * A caller with its own recursion guard (event/guard.h) needs neither rt_ring_enter() nor
 * rt_ring_exit().
 */
#ifndef RT_RING_H
#define RT_RING_H

#include "ring_port.h"
#include "uapi/ringtail.h"

/*
 * Contexts of the levels RT_LEVEL_TASK to RT_LEVEL_NMI can interrupt each other on one CPU, so each
 * level has its own recursion guard.  A breakpoint can trap in any of them, also inside the
 * module's handler: its level is the interrupted level plus RT_LEVEL_BREAK.
 */
#define RT_LEVEL_BREAK (RT_LEVEL_NMI + 1)
#define RT_LEVEL_COUNT (2 * RT_LEVEL_BREAK)

#define RT_WORD ((u32)sizeof(u32)) /* a record consists of such words */

#define RT_RING_PAYLOAD_SURE 1024 /* fits into every ring */

/* Points where a test can interrupt the code.  Each comment says what has just been done. */
enum rt_point {
	RT_AT_LOADED,	  /* a writer has read the claim */
	RT_AT_TIMED,	  /* it has also read the clock */
	RT_AT_CLAIMED,	  /* it has claimed its space, the head is not written */
	RT_AT_PENDING,	  /* the head says pending, nothing else is written */
	RT_AT_FLIPPED,	  /* the head says committed or cancelled, the bytes are not counted */
	RT_AT_SOUGHT,	  /* slow path: the writer knows the newest sequence number */
	RT_AT_LOOKED,	  /* it has read the claim of the newest sub-buffer */
	RT_AT_USABLE,	  /* the next sub-buffer is usable, nothing is closed */
	RT_AT_CLOSED,	  /* the full sub-buffer is closed, its rest is not counted */
	RT_AT_SHUT,	  /* its rest is counted, the clock is not read */
	RT_AT_STAMPED,	  /* the writer knows the next header's contents, the slot is not taken */
	RT_AT_PREPARED,	  /* the writer has turned the next slot to PREPARING */
	RT_AT_COUNTED,	  /* the old records are counted as overwritten, and still there */
	RT_AT_UNNUMBERED, /* the sub-buffer has no number, nothing is wiped */
	RT_AT_WIPING,	  /* half of it is wiped; host only */
	RT_AT_WIPED,	  /* all of it is wiped */
	RT_AT_HEADED,	  /* its header is written, except for the claim and the number */
	RT_AT_READY,	  /* the claim is sealed, the number is not written */
	RT_AT_SEALED,	  /* the sub-buffer is ready, not published */
	RT_AT_PASSED,	  /* the slots that were passed over are marked as skipped */
	RT_AT_PUBLISHED,  /* the slot is published */
	RT_AT_LEFT,	  /* skipped: the sub-buffer is empty and complete, not published */
	RT_AT_RAISING,	  /* the writer is about to raise the head or ring->late */
	RT_AT_LIFTED,	  /* the head is raised, the claim is still sealed */
	RT_AT_OPENED,	  /* the claim is open, ring->cur is not set */
	RT_AT_HINTED,	  /* ring->cur is set, the reader is not woken */
	RT_AT_SPANNED,	  /* a reader knows the oldest and the newest sequence number */
	RT_AT_SEEN,	  /* it has read a slot */
	RT_AT_CHOSEN,	  /* it has chosen a sub-buffer to take */
	RT_AT_SPARED,	  /* its spare is ready to go into the ring */
	RT_AT_SWAPPED,	  /* it has exchanged the sub-buffer for its spare */
	RT_AT_NUMBERED,	  /* it has found the expected number in a sub-buffer that it copies */
	RT_AT_WALKED,	  /* it has read a head in an open sub-buffer */
	RT_AT_COPYING,	  /* it has copied half of a piece; host only */
	RT_AT_COPIED,	  /* it has copied the sub-buffer, and not checked the slot again */
	RT_POINTS
};

struct rt_ring {
	/* Every reserve reads these. */
	struct rt_subbuf *cur; /* a hint: the sub-buffer that was open last */
	u32 words;	       /* size of a sub-buffer in words, header included */
	u32 payload_max;
	u8 busy[RT_LEVEL_COUNT]; /* each written by contexts of its level only */

	/* Written by this CPU's writers, off the fast path. */
	u64 late; /* newest time of an extended record, never goes back */

	/* Fixed, except spare and next. */
	u32 mode;
	u32 subbufs;
	u32 watermark;
	u32 spare; /* overwrite mode: index of the reader's spare; under the reader's lock */
	u64 next;  /* overwrite mode: the reader's next number; written under its lock */
	struct rt_ring_status *status;
	struct rt_ring_control *control;
	void (*wake)(struct rt_ring *ring); /* from any context, NMI included */
	void *owner;			    /* for the code that set wake() */

	u64 *slot; /* [subbufs]: sequence number, state, index; any CPU, by rt_cas() */
	struct rt_subbuf **area; /* [areas]: by index */
};

/* The memory is the caller's.  All of it is zeroed, and areas are aligned to their size. */
struct rt_ring_setup {
	u32 cpu;
	u32 kind; /* RT_RING_* */
	u32 mode;
	u32 subbufs; /* a power of two */
	u32 subbuf_bytes;
	u32 watermark; /* wake the reader when this many sub-buffers wait; < subbufs; 0: never */
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

/* -EINVAL if a number is outside the limits of the uapi header or the watermark is too high. */
int rt_ring_check(const struct rt_ring_setup *setup);
int rt_ring_init(struct rt_ring *ring, const struct rt_ring_setup *setup);

/*
 * Erase the magic numbers, so that nobody finds the memory in an image after it is freed.  No
 * writer may be left.
 */
void rt_ring_wipe(struct rt_ring *ring);

/* --- writing: on the ring's CPU, preemption off --------------------------------- */

/* Reserve `payload` bytes.  If there is no room: NULL, the loss is counted, *why is its cause. */
u32 *rt_ring_reserve_why(struct rt_ring *ring, u16 id, u32 payload, int *why);

static inline u32 *rt_ring_reserve(struct rt_ring *ring, u16 id, u32 payload)
{
	int why;

	return rt_ring_reserve_why(ring, id, payload, &why);
}

/* Close the current sub-buffer if it holds anything, so that a reader can take all of it. */
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

static inline void *rt_record_payload(u32 *rec)
{
	return rec + (rec[1] == RT_RECORD_TIME_EXT ? 4 : 2);
}

#define RT_ONE_RECORD (1ULL << 32) /* in rt_subbuf.commit */

/* The sub-buffer of a record: sub-buffers are aligned to their size. */
static inline struct rt_subbuf *rt_subbuf_of(const struct rt_ring *ring, u32 *rec)
{
	unsigned long bytes = ring->words * RT_WORD;

	return (void *)((unsigned long)rec & ~(bytes - 1));
}

/* The end of commit and cancel: store the new state, then count the bytes. */
static inline void rt_subbuf_finish(struct rt_subbuf *sub, u32 *rec, u32 head, u64 count)
{
	smp_store_release(rec, head); /* B */
	rt_point(RT_AT_FLIPPED);
	rt_add_release(&sub->commit, count); /* C */
}

static inline void rt_ring_finish(struct rt_ring *ring, u32 *rec, u32 head, u64 count)
{
	rt_subbuf_finish(rt_subbuf_of(ring, rec), rec, head, count);
}

/* For callers that have kept the sub-buffer. */
static inline void rt_subbuf_commit(struct rt_subbuf *sub, u32 *rec)
{
	u32 head = *rec;

	rt_subbuf_finish(sub, rec, head ^ RT_RECORD_PENDING ^ RT_RECORD_COMMITTED,
			 RT_ONE_RECORD + (head & RT_RECORD_SIZE));
}

static inline void rt_ring_commit(struct rt_ring *ring, u32 *rec)
{
	rt_subbuf_commit(rt_subbuf_of(ring, rec), rec);
}

/* Give the record up: readers skip it. */
static inline void rt_ring_cancel(struct rt_ring *ring, u32 *rec)
{
	u32 head = *rec;

	rt_ring_finish(ring, rec, head ^ RT_RECORD_PENDING ^ RT_RECORD_CANCELLED,
		       head & RT_RECORD_SIZE);
}

/* Commit only the first `payload` bytes of the reserved payload. */
void rt_ring_commit_part(struct rt_ring *ring, u32 *rec, u32 payload);

/* --- waking: any context ---------------------------------------------------------- */

/*
 * The number of whole sub-buffers that wait for the reader, according to the head; below 1: none.
 * The result is signed, because before the first record the head is one less than the number that
 * the reader wants.
 */
static inline s64 rt_ring_waiting(const struct rt_ring *ring)
{
	u64 next = ring->mode == RT_MODE_OVERWRITE ? READ_ONCE(ring->next) :
						     READ_ONCE(ring->control->consumed);

	return (s64)(READ_ONCE(ring->status->head) - next);
}

/* True: wake the reader; it need not sleep. */
static inline bool rt_ring_ready(const struct rt_ring *ring)
{
	return ring->watermark && rt_ring_waiting(ring) >= (s64)ring->watermark;
}

/* --- reading: any CPU, one reader at a time; ring_reader.c ----------------------- */

/*
 * Overwrite mode: take the oldest closed sub-buffer out of the ring, in exchange for the one taken
 * before.  -EAGAIN: there is none, or a record in it is still pending.
 */
int rt_ring_take(struct rt_ring *ring, struct rt_subbuf **sub);

/*
 * Copy the committed records of sub-buffer `seq` to `to` (subbuf_bytes).  The sub-buffer stays in
 * the ring.  -ENOENT: it was overwritten or taken, or no writer has published it yet.
 */
int rt_ring_copy(struct rt_ring *ring, u64 seq, void *to);

/* The sequence numbers that rt_ring_copy() may find: from *oldest to *newest. */
void rt_ring_span(struct rt_ring *ring, u64 *oldest, u64 *newest);

/* --- internal: shared by the files of the ring and their tests ------------------- */

/* A slot says which sub-buffer holds a sequence number: seq << 16 | state | index. */
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
#define RT_CLAIM_SEALED	    RT_CLAIM_OFFSET /* no record fits behind this offset */

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

/* The claim after a record of `words` words at `time`; the lap stays the same. */
static inline u64 rt_claim_next(u64 claim, u32 words, u64 time)
{
	return time << RT_CLAIM_TIME_SHIFT | (u32)(claim + words);
}

#endif
