/* SPDX-License-Identifier: GPL-2.0 */
/*
 * timeline.h - how many samples fell into each part of the recorded time, by event, CPU and task.
 *
 * The length of the recording need not be known: when time runs beyond the last bucket, pairs of
 * buckets are merged and a bucket is twice as long.  Memory is bounded: tasks beyond a limit share
 * one row.
 */
#ifndef RT_ANALYSIS_TIMELINE_H
#define RT_ANALYSIS_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define RT_TIMELINE_BUCKETS 1024
#define RT_TIMELINE_ROWS    4096 /* of one kind; the rest is counted in one more row */
#define RT_TIMELINE_FOUND   128	 /* a power of two */

enum rt_timeline_kind {
	RT_TIMELINE_EVENT,
	RT_TIMELINE_CPU,
	RT_TIMELINE_TASK,
	RT_TIMELINE_LOST, /* a row for each kind of record that says so */
	RT_TIMELINE_KINDS
};

struct rt_timeline_row {
	uint64_t key; /* index of the event, number of the CPU, id of the task, kind of record */
	const char *name;  /* NULL: not named */
	const char *given; /* the name as the caller has it; it stays there */
	bool rest;	   /* of all for which there was no row */
	uint32_t tasks;	   /* for the user of the timeline, who may join rows; 0 at first */
	uint64_t total;	   /* after rt_timeline_sort() */
	uint64_t count[RT_TIMELINE_BUCKETS];
};

struct rt_timeline { /* all zero: empty */
	struct rt_arena arena;
	struct rt_timeline_row **rows[RT_TIMELINE_KINDS];
	uint32_t *index[RT_TIMELINE_KINDS]; /* open hash table: number of the row, plus 1 */
	uint32_t row_count[RT_TIMELINE_KINDS];
	bool begun, failed;
	/* Rows that were found, by the last bits of their keys. */
	struct rt_timeline_row *found[RT_TIMELINE_KINDS][RT_TIMELINE_FOUND];
	uint64_t start;	    /* nanoseconds */
	unsigned int shift; /* a bucket is so many nanoseconds long, as a power of two */
	uint32_t used;	    /* buckets up to the last one with something in it */
};

/*
 * The bucket of a time, for rt_timeline_add().  This may merge buckets: a bucket that was found for
 * another `shift` is then half of one.
 */
uint32_t rt_timeline_bucket_slow(struct rt_timeline *t, uint64_t time);

static inline uint32_t rt_timeline_bucket(struct rt_timeline *t, uint64_t time)
{
	uint64_t bucket = (time - t->start) >> t->shift;

	/* An earlier time is a large number here. */
	return bucket < t->used ? (uint32_t)bucket : rt_timeline_bucket_slow(t, time);
}
/*
 * Count N in a bucket of the row of KIND and KEY.  NAME, if not NULL, is the newest name of the row;
 * its bytes must not change later.
 */
void rt_timeline_add_slow(struct rt_timeline *t, enum rt_timeline_kind kind, uint64_t key,
			  const char *name, uint32_t bucket, uint64_t n);

static inline void rt_timeline_add(struct rt_timeline *t, enum rt_timeline_kind kind, uint64_t key,
				   const char *name, uint32_t bucket, uint64_t n)
{
	struct rt_timeline_row *row = t->found[kind][key & (RT_TIMELINE_FOUND - 1)];

	if (row && row->key == key && (!name || row->given == name))
		row->count[bucket] += n;
	else
		rt_timeline_add_slow(t, kind, key, name, bucket, n);
}

static inline uint64_t rt_timeline_width(const struct rt_timeline *t)
{
	return 1ULL << t->shift;
}

/* Add up the totals and sort rows: CPUs by number, others by their totals, the largest first. */
void rt_timeline_sort(struct rt_timeline *t);
void rt_timeline_free(struct rt_timeline *t);

#endif
