// SPDX-License-Identifier: GPL-2.0
#include "analysis/slices.h"

#include <stdlib.h>
#include <string.h>

#include "base/large.h"

#define CELLS	  (1u << 19) /* closed cells; more are allowed only if there are as many items */
#define GROUP_MAX 10	     /* one slice: all buckets of a timeline */
#define SAVING	  4	     /* twice as long slices must save one in so many cells */

void rt_slices_free(struct rt_slices *s)
{
	free(s->open);
	free(s->closed);
	free(s->first);
	memset(s, 0, sizeof(*s));
}

/* Make all slices 2^by times as long. */
static void lengthen(struct rt_slices *s, unsigned int by)
{
	uint32_t i;

	by = by < 31 ? by : 31;
	for (i = 0; i < s->open_room; i++)
		s->open[i].slice >>= by;
	for (i = 0; i < s->closed_count; i++)
		s->closed[i].slice >>= by;
}

/* Order closed cells by item, and add up neighbours of the same slice. */
static bool arrange(struct rt_slices *s)
{
	uint32_t i, item, n = 0, from, to;
	struct rt_slice_cell *sorted = rt_large_list(NULL, s->closed_count + 1, sizeof(*sorted));
	uint32_t *first = calloc((size_t)s->open_room + 2, sizeof(*first));

	if (!sorted || !first) {
		free(sorted);
		free(first);
		return false;
	}
	for (i = 0; i < s->closed_count; i++)
		first[s->closed[i].item + 2]++;
	for (i = 2; i < s->open_room + 2; i++)
		first[i] += first[i - 1];
	for (i = 0; i < s->closed_count; i++)
		sorted[first[s->closed[i].item + 1]++] = s->closed[i];
	/* Now first[item] is where its cells begin. */
	for (item = 0; item < s->open_room; item++) {
		from = first[item];
		to = first[item + 1];
		first[item] = n;
		for (i = from; i < to; i++) {
			struct rt_slice_cell *last = n > first[item] ? &sorted[n - 1] : NULL;

			if (last && last->slice == sorted[i].slice) {
				last->count += sorted[i].count;
				last->weight += sorted[i].weight;
			} else {
				sorted[n++] = sorted[i];
			}
		}
	}
	first[s->open_room] = n;
	free(s->closed);
	free(s->first);
	s->closed = sorted;
	s->closed_room = s->closed_count + 1;
	s->closed_count = n;
	s->first = first;
	s->items = s->open_room;
	return true;
}

/* How many cells would go if slices were twice as long; the cells are arranged. */
static uint32_t would_save(const struct rt_slices *s)
{
	uint32_t i, n = 0;

	for (i = 1; i < s->closed_count; i++)
		n += s->closed[i].item == s->closed[i - 1].item &&
		     s->closed[i].slice >> 1 == s->closed[i - 1].slice >> 1;
	return n;
}

/*
 * There are too many cells: longer slices need fewer.  If most items have one cell, longer slices
 * save nothing, and there are no more cells than a few times the items.
 */
static bool shrink(struct rt_slices *s)
{
	if (!arrange(s))
		return false;
	while (s->closed_count > s->limit / 2 && s->group < GROUP_MAX &&
	       would_save(s) >= s->closed_count / SAVING) {
		s->group++;
		lengthen(s, 1);
		if (!arrange(s))
			return false;
	}
	if (s->closed_count > s->limit / 2)
		s->limit *= 2;
	return true;
}

static bool close_cell(struct rt_slices *s, const struct rt_slice_cell *cell)
{
	if (s->closed_count == s->limit && !shrink(s))
		return false;
	if (s->closed_count == s->closed_room) {
		uint32_t room = s->closed_room ? 2 * s->closed_room : 4096;
		void *closed = rt_large_list(s->closed, room, sizeof(*s->closed));

		if (!closed)
			return false;
		s->closed = closed;
		s->closed_room = room;
	}
	s->closed[s->closed_count++] = *cell;
	return true;
}

static bool make_room(struct rt_slices *s, uint32_t item)
{
	uint32_t room = s->open_room ? s->open_room : 1024;
	struct rt_slice_cell *open;

	while (room <= item)
		room *= 2;
	open = rt_large_list(s->open, room, sizeof(*open));
	if (!open)
		return false;
	memset(open + s->open_room, 0, (room - s->open_room) * sizeof(*open));
	s->open = open;
	s->open_room = room;
	return true;
}

void rt_slices_follow(struct rt_slices *s, const struct rt_timeline *t)
{
	if (!s->limit) {
		s->limit = CELLS;
		s->group = RT_SLICES_GROUP;
	} else {
		lengthen(s, t->shift - s->shift);
	}
	s->shift = t->shift;
}

bool rt_slices_add_slow(struct rt_slices *s, const struct rt_timeline *t, uint32_t item,
			uint32_t bucket, uint32_t count, uint64_t weight)
{
	struct rt_slice_cell *cell;

	if (s->shift != t->shift)
		rt_slices_follow(s, t);
	if (item >= s->open_room && !make_room(s, item))
		return false;
	cell = &s->open[item];
	if (cell->slice != bucket >> s->group && cell->count) {
		if (!close_cell(s, cell))
			return false;
		cell->count = 0;
		cell->weight = 0;
	}
	cell->item = item;
	cell->slice = bucket >> s->group;
	cell->count += count;
	cell->weight += weight;
	return true;
}

bool rt_slices_close_slow(struct rt_slices *s, const struct rt_slice_cell *cell)
{
	struct rt_slice_cell copy = *cell;
	unsigned int group = s->group;

	if (cell->item >= s->open_room && !make_room(s, cell->item))
		return false;
	if (s->closed_count == s->limit && !shrink(s))
		return false;
	copy.slice >>= s->group - group;
	return close_cell(s, &copy);
}

bool rt_slices_finish(struct rt_slices *s, const struct rt_timeline *t)
{
	uint32_t i;

	if (s->shift != t->shift)
		rt_slices_follow(s, t);
	for (i = 0; i < s->open_room; i++) {
		if (s->open[i].count && !close_cell(s, &s->open[i]))
			return false;
		s->open[i].count = 0;
	}
	return arrange(s);
}

bool rt_slices_coarsen(struct rt_slices *s)
{
	s->group++;
	lengthen(s, 1);
	return arrange(s);
}
