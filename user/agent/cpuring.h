/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cpuring.h - one CPU's ring, mapped from the module: look at the next record, then take it.
 */
#ifndef RT_AGENT_CPURING_H
#define RT_AGENT_CPURING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "agent/live.h"
#include "base/error.h"
#include "ringtail.h"

/* So many records are looked for at a time. */
enum { RT_CPURING_AHEAD = 64 };

struct rt_cpuring {
	const struct rt_ring_status *status; /* NULL: not mapped */
	struct rt_ring_control *control;
	const void *data;
	size_t status_bytes, data_bytes;
	struct rt_live_ring live; /* discard mode: read in place */

	/* Overwrite mode: peek returns nothing until rt_cpuring_drain(). */
	bool overwrite;
	bool open; /* a sub-buffer is taken; `taken` reads it */
	struct rt_subbuf_reader taken;
	uint64_t drain;			    /* take the sub-buffers before this number */
	uint64_t next;			    /* the sub-buffers before this number were taken */
	uint64_t seen_lost[RT_LOST_CAUSES]; /* up to the start of the last one taken */
	int fd;
	uint32_t cpu;

	/*
	 * A ring that is not mapped: what fills `ahead` instead, with its argument, and returns the
	 * number.
	 */
	unsigned int (*fill)(struct rt_cpuring *r);
	void *source;

	uint64_t read;	 /* records taken */
	uint64_t before; /* the head at the last rt_cpuring_growth() */
	/* Records that were found together; those from `at` on are not taken yet. */
	struct rt_record ahead[RT_CPURING_AHEAD];
	unsigned int at, count;
	/* Pieces were found: where the ring goes on behind them, and their records. */
	struct rt_live_ring behind;
	uint64_t found;
	/*
	 * Losses between the previous record and the next one, by cause; `lossy`: there were some.
	 */
	uint64_t lost[RT_LOST_CAUSES];
	bool lossy;
};

/* Overwrite mode: from now on, peek and take return what the ring holds at this moment. */
void rt_cpuring_drain(struct rt_cpuring *r);

/* PARTS is 0 or RT_MMAP_SIDE.  -ENXIO: this CPU has no ring (yet). */
int rt_cpuring_map(struct rt_cpuring *r, int fd, uint32_t cpu, uint32_t parts, struct rt_err *err);
void rt_cpuring_unmap(struct rt_cpuring *r);

/* Look for records in the ring, unless some that were found before are left. */
void rt_cpuring_look(struct rt_cpuring *r);
/* Return the oldest of the records found and not taken yet, or NULL.  Does not look for more. */
static inline const struct rt_record *rt_cpuring_found(const struct rt_cpuring *r)
{
	return r->at < r->count ? &r->ahead[r->at] : NULL;
}

/*
 * Both: return the oldest record not taken yet, or NULL if there is none now.  It stays valid, and
 * later calls return it again, until rt_cpuring_take().
 */
const struct rt_record *rt_cpuring_peek(struct rt_cpuring *r);
/* Take the next N of the records found. */
static inline void rt_cpuring_take_run(struct rt_cpuring *r, unsigned int n)
{
	r->at += n;
	r->read += n;
	if (r->lossy)
		memset(r->lost, 0, sizeof(r->lost));
	r->lossy = false;
}
static inline void rt_cpuring_take(struct rt_cpuring *r)
{
	rt_cpuring_take_run(r, 1);
}

/*
 * The same ring as bytes instead of records: find up to MAX pieces, as rt_live_next_piece() does; in
 * overwrite mode whole sub-buffers, one at a time, after rt_cpuring_drain().  They stay valid, and later
 * calls find them again, until rt_cpuring_take_pieces().  Return the number.
 */
unsigned int rt_cpuring_find_pieces(struct rt_cpuring *r, bool open, struct rt_live_piece *p,
				    unsigned int max);
void rt_cpuring_take_pieces(struct rt_cpuring *r);
/* Whether there are bytes behind the pieces taken, if only of records that are not committed. */
bool rt_cpuring_has_more(const struct rt_cpuring *r);

/* How many whole sub-buffers the ring has that were not read; 0 in overwrite mode. */
uint64_t rt_cpuring_backlog(const struct rt_cpuring *r);
/* How many sub-buffers the writers have completed since the last call; 0 in overwrite mode. */
uint64_t rt_cpuring_growth(struct rt_cpuring *r);
/* Overwrite mode: no record of the ring is older than this time; UINT64_MAX: it has none. */
uint64_t rt_cpuring_oldest(const struct rt_cpuring *r);
/* The number of committed records that were not taken. */
uint64_t rt_cpuring_pending(const struct rt_cpuring *r);
/* Call when all records are taken: the losses after the last record.  False if there are none. */
bool rt_cpuring_lost_since(const struct rt_cpuring *r, uint64_t lost[RT_LOST_CAUSES]);

#endif
