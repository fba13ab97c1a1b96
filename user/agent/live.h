/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live.h - reading a mapped ring in discard mode while its CPU writes.
 *
 * The records of one CPU, in order, each once.  A sub-buffer is given back as
 * soon as its last record has been passed.
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
	__u64 seq;		    /* of the sub-buffer that is read */
	__u64 records;		    /* passed so far */
	__u64 lost[RT_LOST_CAUSES]; /* up to the start of that sub-buffer */
};

/* The three parts as mapped, `data_bytes` of data.  -EINVAL when they cannot be a ring. */
int rt_live_init(struct rt_live_ring *l, const struct rt_ring_status *status,
		 struct rt_ring_control *control, const void *data, size_t data_bytes,
		 struct rt_err *err);

/*
 * True with the next record, which stays valid until the next call; false when there
 * is none now.  `lost`, if not NULL, gets what was lost just before it, by cause; with
 * false, what was lost before the record that comes next.
 */
bool rt_live_next(struct rt_live_ring *l, struct rt_record *rec, __u64 lost[RT_LOST_CAUSES]);

#endif
