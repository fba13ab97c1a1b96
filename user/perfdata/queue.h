/* SPDX-License-Identifier: GPL-2.0 */
/*
 * queue.h - the records of the last rounds, sorted by time as they are taken out.
 *
 * perf keeps a sorted list of single records.  A perf.data file is, however, a
 * sequence of stretches that are in order already (each ring buffer, each time
 * it was emptied; or all of a file that was written in order).  So this queue
 * holds *runs*: stretches of records that lie next to each other with times that
 * never decrease, and merges them by a heap.  The result is the same stable
 * order; memory goes with the number of runs, and a file in order is one run.
 *
 * Two records of equal time come out in the order they went in: runs are numbered
 * as they begin, and the records of an earlier run all went in before those of a
 * later one.
 *
 * The rules of flushing are perf's: at the end of a round everything up to the
 * latest time of the round before may go out.
 */
#ifndef RT_PERFDATA_QUEUE_H
#define RT_PERFDATA_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_block;
struct rt_source;

struct rt_run {
	uint64_t time; /* of the record at pos */
	uint64_t number;
	const uint8_t *pos, *end;
	uint64_t offset; /* of pos in the file */
	bool packed;	 /* inside a compressed record, whose offset all in it have */
	struct rt_block *block;
	struct rt_source *source;
};

struct rt_queue {
	struct rt_run *heap;
	size_t count, room;
	struct rt_run open; /* the run that still grows, not yet in the heap; pos NULL: none */
	uint64_t open_last; /* time of its last record */
	uint64_t next_number;
	uint64_t records; /* queued */
	uint64_t pinned;  /* bytes of blocks that runs keep alive */

	uint64_t newest;     /* the latest time queued now */
	uint64_t last;	     /* the time queued last */
	uint64_t max_time;   /* perf's max_timestamp */
	uint64_t next_flush; /* perf's next_flush: the limit of the next round */
	uint64_t last_flush; /* the time handed out last */
	uint64_t limit;	     /* of the flush under way */
};

/*
 * Add a record of size bytes: at is a run of this one record, of which time,
 * number and end are filled in here.  -ENOMEM when there is no memory.
 */
int rt_queue_add(struct rt_queue *q, uint64_t time, const struct rt_run *at, size_t size);

enum rt_flush { RT_FLUSH_ROUND, RT_FLUSH_HALF, RT_FLUSH_FINAL };

/* Begin a flush; false when there is nothing to hand out. */
bool rt_queue_flush(struct rt_queue *q, enum rt_flush how);
/* The run whose first record is next within the flush's limit, or NULL: the flush is over. */
struct rt_run *rt_queue_first(struct rt_queue *q);
/* The record of size bytes at its front has been taken; time is that of the next one in it. */
void rt_queue_took(struct rt_queue *q, size_t size, uint64_t time);
/* When the flush is over. */
void rt_queue_flushed(struct rt_queue *q, enum rt_flush how);

void rt_queue_free(struct rt_queue *q);

#endif
