// SPDX-License-Identifier: GPL-2.0
/* gather_likes.c - samples of plain sums, counted apart until their slice of time ends. */
#include <stdlib.h>
#include <string.h>

#include "base/large.h"
#include "draw/gathered.h"

#define SIZE_FIRST 4096	 /* a power of two */
#define SIZE_LAST  32768 /* another one */

static bool is_settled(const struct rt_gather *g)
{
	return g->slices.shift == g->timeline.shift &&
	       g->likes.scale == g->slices.shift + g->slices.group;
}

/* Make the cells fit the slices, which may have become longer. */
static void settle(struct rt_gather *g)
{
	struct rt_gather_likes *likes = &g->likes;
	unsigned int scale, by;
	uint32_t i;

	if (g->slices.shift != g->timeline.shift)
		rt_slices_follow(&g->slices, &g->timeline);
	scale = g->slices.shift + g->slices.group;
	by = scale - likes->scale < 31 ? scale - likes->scale : 31;
	for (i = 0; i < likes->size; i++)
		likes->list[i].cell.slice >>= by;
	likes->scale = scale;
}

static bool close_cell(struct rt_gather *g, struct rt_gather_like *l)
{
	bool done;

	if (!is_settled(g))
		settle(g);
	done = !l->cell.count || rt_slices_close(&g->slices, &l->cell);
	l->cell.count = 0;
	l->cell.weight = 0;
	return done;
}

bool rt_gather_likes_finish(struct rt_gather *g)
{
	bool done = true;
	uint32_t i;

	for (i = 0; i < g->likes.size; i++)
		done &= close_cell(g, &g->likes.list[i]);
	return done;
}

void rt_gather_likes_free(struct rt_gather_likes *likes)
{
	free(likes->list);
	memset(likes, 0, sizeof(*likes));
}

bool rt_gather_likes_grow(struct rt_gather *g)
{
	struct rt_gather_likes *likes = &g->likes, larger = { .scale = likes->scale };

	larger.size = likes->size ? SIZE_LAST : SIZE_FIRST;
	larger.list = rt_large_table(larger.size, sizeof(*likes->list));
	if (!larger.list || !rt_gather_likes_finish(g)) {
		free(larger.list);
		return false;
	}
	free(likes->list);
	*likes = larger;
	return true;
}

struct rt_gather_like *rt_gather_likes_set(struct rt_gather *g, const struct rt_profile_sample *s,
					   uint32_t sum)
{
	struct rt_gather_like *l;

	if (sum >= g->likes.size / 2 && g->likes.size < SIZE_LAST && !rt_gather_likes_grow(g))
		return NULL;
	l = rt_gather_like(&g->likes, s);
	if (!close_cell(g, l))
		return NULL;
	l->place = rt_gather_place(s);
	l->comm = s->thread->comm;
	l->event = s->event->index + 1;
	l->mode = rt_gather_mode(s);
	l->cell.item = sum;
	return l;
}

bool rt_gather_likes_add_slow(struct rt_gather *g, struct rt_gather_like *l, uint32_t bucket,
			      uint64_t weight)
{
	if (!is_settled(g))
		settle(g);
	if (l->cell.slice != bucket >> g->slices.group) {
		if (!close_cell(g, l))
			return false;
		if (!is_settled(g))
			settle(g);
		l->cell.slice = bucket >> g->slices.group;
	}
	l->cell.count++;
	l->cell.weight += weight;
	return true;
}
