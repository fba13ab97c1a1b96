/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stream.h - the pieces of one CPU in a raw recording as a ring (agent/cpuring.h), whose records come
 * from the file.
 */
#ifndef RT_RAW_STREAM_H
#define RT_RAW_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/cpuring.h"
#include "raw/walk.h"

struct rt_raw_stream {
	struct rt_raw_item *pieces; /* those that are not read, from `first` on */
	size_t first, count, room;
	struct rt_subbuf_reader reader;
	bool open;
	uint64_t expected; /* records of the piece that is open */
	/* Records that follow with times outside of these are damaged. */
	uint64_t floor;
	uint64_t last; /* of the last record of the piece, by its head */

	struct rt_raw_walk *walk; /* counts damage */
	const uint64_t *merged;	  /* everything up to this time is in the expanded file */
};

/* RING gets its records from S, which stays where it is, and so do WALK and MERGED. */
void rt_raw_stream_begin(struct rt_raw_stream *s, struct rt_cpuring *ring, struct rt_raw_walk *walk,
			 const uint64_t *merged);
void rt_raw_stream_free(struct rt_raw_stream *s);
/* Add the next piece; 0 or -ENOMEM. */
int rt_raw_stream_add(struct rt_raw_stream *s, const struct rt_raw_item *piece);

#endif
