// SPDX-License-Identifier: GPL-2.0
/*
 * How often each thread had each event: READ records at the end of the file.  perf has them from
 * counters that its threads inherit (perf record -s); here they are sums of the samples' periods.
 */
#include "perfdata/write/internal.h"

#include <errno.h>
#include <stdlib.h>

static uint64_t hash(const struct rt_write_count *c)
{
	return rt_hash_mix((uint64_t)(uint32_t)c->pid << 32 | (uint32_t)c->tid, c->event);
}

static struct rt_write_count *find(const struct rt_write_counts *counts,
				   const struct rt_write_count *like)
{
	struct rt_index_probe probe;
	struct rt_write_count *c;
	uint32_t i;

	for (i = rt_index_first(&counts->index, hash(like), &probe); i;
	     i = rt_index_next(&counts->index, &probe)) {
		c = &counts->list[i - 1];
		if (c->tid == like->tid && c->event == like->event && c->pid == like->pid)
			return c;
	}
	return NULL;
}

int rt_write_count(struct rt_write_counts *counts, struct rt_write_count more)
{
	struct rt_write_count *c = find(counts, &more), *list;
	size_t room;

	if (c) {
		c->value += more.value;
		return 0;
	}
	if (counts->count == counts->room) {
		room = counts->room ? 2 * counts->room : 256;
		list = realloc(counts->list, room * sizeof(*list));
		if (!list)
			return -ENOMEM;
		counts->list = list;
		counts->room = room;
	}
	if (!rt_index_add(&counts->index, hash(&more), counts->count + 1))
		return -ENOMEM;
	counts->list[counts->count++] = more;
	return 0;
}

int rt_write_counts_move(struct rt_write_counts *to, struct rt_write_counts *from)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < from->count; i++)
		ret = rt_write_count(to, from->list[i]);
	from->count = 0;
	rt_index_free(&from->index);
	return ret;
}

void rt_write_counts_free(struct rt_write_counts *counts)
{
	rt_index_free(&counts->index);
	free(counts->list);
	memset(counts, 0, sizeof(*counts));
}

static int compare(const void *one, const void *two)
{
	const struct rt_write_count *a = one, *b = two;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->event < b->event ? -1 : 1;
}

/* Readers take the columns of their table from the first thread, so that has all events. */
static void name_events(struct rt_writer *w, const struct rt_write_count *first)
{
	unsigned int i;

	for (i = 0; i < w->event_count; i++)
		rt_write_read(w, &(struct rt_write_count){ first->pid, first->tid, i, 0 });
}

void rt_write_counts_end(struct rt_writer *w)
{
	struct rt_write_counts *counts = &w->counts;
	size_t i;

	if (!counts->count)
		return;
	/* From here on nothing is looked up. */
	qsort(counts->list, counts->count, sizeof(*counts->list), compare);
	name_events(w, &counts->list[0]);
	for (i = 0; i < counts->count; i++)
		rt_write_read(w, &counts->list[i]);
}
