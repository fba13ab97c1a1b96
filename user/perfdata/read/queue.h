/* SPDX-License-Identifier: GPL-2.0 */
/*
 * queue.h - holds the records of the last rounds and returns them sorted by time.
 *
 * perf keeps a sorted list of single records.  However, a perf.data file is a sequence of stretches
 * that are already in order (each ring buffer, each time it was emptied; or all of a file that was
 * written in order).  So this queue holds *runs*: adjacent records whose times never decrease, and
 * merges them with a heap.  The result is the same stable order.  Memory grows with the number of
 * runs, and a file in order is one run.
 *
 * Two records of equal time come out in the order in which they went in: runs are numbered as they
 * begin, and all records of an earlier run went in before those of a later one.
 *
 * The rules of flushing are perf's: at the end of a round everything up to the latest time of the
 * previous round may go out.
 */
#ifndef RT_PERFDATA_READ_QUEUE_H
#define RT_PERFDATA_READ_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_block;
struct rt_data_file;

struct rt_run {
	uint64_t time; /* of the record at pos */
	uint64_t number;
	const uint8_t *pos, *end;
	uint64_t offset; /* of pos in the file */
	bool packed;	 /* inside a compressed record; all records in it share its offset */
	struct rt_block *block;
	struct rt_data_file *source;
};

struct rt_queue {
	struct rt_run *heap;
	size_t count, room;
	struct rt_run open; /* the run that still grows, not yet in the heap; pos NULL: none */
	uint64_t open_last; /* time of its last record */
	uint64_t next_number;
	uint64_t records; /* in the queue */
	uint64_t pinned;  /* bytes of blocks that runs keep alive */

	uint64_t newest;     /* the latest time in the queue */
	uint64_t last;	     /* the time queued last */
	uint64_t max_time;   /* perf's max_timestamp */
	uint64_t next_flush; /* perf's next_flush: the limit of the next round */
	uint64_t last_flush; /* the time returned last */
	uint64_t limit;	     /* of the current flush */
};

/*
 * Add a record of size bytes.  at is a run of this one record; the function fills in its time,
 * number and end. -ENOMEM if there is no memory.
 */
int rt_queue_add(struct rt_queue *q, uint64_t time, const struct rt_run *at, size_t size);

enum rt_flush { RT_FLUSH_ROUND, RT_FLUSH_HALF, RT_FLUSH_FINAL };

/* Begin a flush; false if there is nothing to return. */
bool rt_queue_flush(struct rt_queue *q, enum rt_flush how);
/* Return the run with the next record within the flush's limit; NULL if the flush is complete. */
struct rt_run *rt_queue_first(struct rt_queue *q);
/*
 * Remove the record of size bytes at the front of that run; time is that of the run's next record.
 */
void rt_queue_took(struct rt_queue *q, size_t size, uint64_t time);
/* Call when the flush is complete. */
void rt_queue_flushed(struct rt_queue *q, enum rt_flush how);

void rt_queue_free(struct rt_queue *q);

#endif
