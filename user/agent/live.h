/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live.h - read a mapped ring in discard mode while its CPU writes.
 *
 * Returns each record of one CPU once, in order.  The reader releases a sub-buffer as soon as it
 * has passed the last record in it.
 */
#ifndef RT_AGENT_LIVE_H
#define RT_AGENT_LIVE_H

#include "agent/subbuf.h"

struct rt_live_ring {
	const struct rt_ring_status *status;
	struct rt_ring_control *control;
	const char *data;
	struct rt_subbuf_reader r;
	bool open;
	__u64 seq;		    /* the sub-buffer being read */
	__u64 records;		    /* records passed so far */
	__u64 lost[RT_LOST_CAUSES]; /* up to the start of that sub-buffer */
};

/* Set up L for the three mapped parts with `data_bytes` of data. -EINVAL if they are not a ring. */
int rt_live_init(struct rt_live_ring *l, const struct rt_ring_status *status,
		 struct rt_ring_control *control, const void *data, size_t data_bytes,
		 struct rt_err *err);

/*
 * Return true and the next record, which stays valid until the next call; false if there is none
 * now.  If `lost` is not NULL, it gets the losses just before the record, by cause; with false, the
 * losses before the record that comes next.
 */
bool rt_live_next(struct rt_live_ring *l, struct rt_record *rec, __u64 lost[RT_LOST_CAUSES]);

/*
 * The same for up to `max` records, which all stay valid until the next call: those of one sub-buffer
 * that are there now.  The losses are those before the first.  Return the number of records.
 */
unsigned int rt_live_fill(struct rt_live_ring *l, struct rt_record *rec, unsigned int max,
			  __u64 lost[RT_LOST_CAUSES]);

/*
 * A part of one sub-buffer as it lies in the ring, for readers that copy bytes instead of records.  It
 * begins with the head of the sub-buffer (`from` 0), or where the piece before it ended.
 */
struct rt_live_piece {
	const struct rt_subbuf *sub;
	__u64 seq, start;
	__u64 last; /* the time of its last record, or of one behind it that was cancelled */
	__u64 records;
	__u64 lost[RT_LOST_CAUSES]; /* since the start of the piece before it */
	__u32 from, to;		    /* bytes of the sub-buffer */
	bool lossy;		    /* some were lost */
};

/*
 * Step over the next piece that has records: the rest of a sub-buffer that is complete or, if OPEN, of
 * one that its CPU still writes what is committed in front of the first record that is not.  False if
 * there is none now.  A ring is read by records or by pieces.
 */
bool rt_live_next_piece(struct rt_live_ring *l, bool open, struct rt_live_piece *p);
/* The pieces so far are copied: give their sub-buffers back. */
void rt_live_give_back(struct rt_live_ring *l);
/* Whether the present sub-buffer has committed bytes behind the last piece. */
bool rt_live_has_more(const struct rt_live_ring *l);

#endif
