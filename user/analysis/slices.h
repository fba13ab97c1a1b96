/* SPDX-License-Identifier: GPL-2.0 */
/*
 * slices.h - how much of each item fell into each slice of the recorded time: the weight and the
 * number of samples.  An item is a number, such as that of a sum of samples.
 *
 * A slice is 2^group buckets of a timeline, so slices grow with the buckets.  Samples come roughly
 * in the order of their times: each item has one open cell, and a cell is closed when a sample of
 * another slice comes.  Memory is bounded: if there are too many closed cells, slices become twice
 * as long, unless that would save few of them: most items then have only one.
 */
#ifndef RT_ANALYSIS_SLICES_H
#define RT_ANALYSIS_SLICES_H

#include "analysis/timeline.h"

#define RT_SLICES_GROUP 3 /* the shortest slice: eight buckets */
#define RT_SLICES_MAX	(RT_TIMELINE_BUCKETS >> RT_SLICES_GROUP)

struct rt_slice_cell {
	uint64_t weight;
	uint32_t count; /* 0: an open cell of an item without samples */
	uint32_t slice;
	uint32_t item;
};

struct rt_slices {		    /* all zero: empty */
	struct rt_slice_cell *open; /* by item */
	uint32_t open_room;
	struct rt_slice_cell *closed;
	uint32_t closed_count, closed_room;
	uint32_t limit;	    /* of closed cells */
	unsigned int shift; /* of the timeline for which the cells are made */
	unsigned int group;
	uint32_t *first; /* after rt_slices_finish(): by item, the first of its cells */
	uint32_t items;
};

bool rt_slices_add_slow(struct rt_slices *s, const struct rt_timeline *t, uint32_t item,
			uint32_t bucket, uint32_t count, uint64_t weight);

/* Count samples, at least one, in a bucket of the timeline; false if there is no memory. */
static inline bool rt_slices_add(struct rt_slices *s, const struct rt_timeline *t, uint32_t item,
				 uint32_t bucket, uint32_t count, uint64_t weight)
{
	struct rt_slice_cell *cell;

	if (s->shift != t->shift || item >= s->open_room)
		return rt_slices_add_slow(s, t, item, bucket, count, weight);
	cell = &s->open[item];
	if (cell->slice != bucket >> s->group)
		return rt_slices_add_slow(s, t, item, bucket, count, weight);
	cell->item = item;
	cell->count += count;
	cell->weight += weight;
	return true;
}

/* Lengthen the slices as the buckets of the timeline became longer. */
void rt_slices_follow(struct rt_slices *s, const struct rt_timeline *t);
/*
 * Add a cell that the caller has filled, with slices as they are now.  This may lengthen them.  False
 * if there is no memory.
 */
bool rt_slices_close_slow(struct rt_slices *s, const struct rt_slice_cell *cell);

static inline bool rt_slices_close(struct rt_slices *s, const struct rt_slice_cell *cell)
{
	if (cell->item >= s->open_room || s->closed_count >= s->closed_room ||
	    s->closed_count == s->limit)
		return rt_slices_close_slow(s, cell);
	s->closed[s->closed_count++] = *cell;
	return true;
}

/* After the last sample: order the cells by item.  False if there is no memory. */
bool rt_slices_finish(struct rt_slices *s, const struct rt_timeline *t);
/* Make slices twice as long; after rt_slices_finish().  False if there is no memory. */
bool rt_slices_coarsen(struct rt_slices *s);
void rt_slices_free(struct rt_slices *s);

/* The cells of an item, from *cell up to the returned one, which is behind the last. */
static inline const struct rt_slice_cell *rt_slices_of(const struct rt_slices *s, uint32_t item,
						       const struct rt_slice_cell **cell)
{
	if (item >= s->items)
		return *cell = s->closed;
	*cell = s->closed + s->first[item];
	return s->closed + s->first[item + 1];
}

/* How many slices a timeline with so many buckets has. */
static inline uint32_t rt_slices_count(const struct rt_slices *s, uint32_t buckets)
{
	return (buckets + (1u << s->group) - 1) >> s->group;
}

#endif
