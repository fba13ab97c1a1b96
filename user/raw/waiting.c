// SPDX-License-Identifier: GPL-2.0
#include "raw/waiting.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

static bool before(const struct rt_raw_wait *a, const struct rt_raw_wait *b)
{
	return a->time != b->time ? a->time < b->time : a->hdr < b->hdr;
}

int rt_raw_waiting_add(struct rt_raw_waiting *w, const struct rt_raw_wait *one)
{
	size_t room = w->room ? 2 * w->room : 256, at = w->count, up;
	struct rt_raw_wait *bigger;

	if (w->count == w->room) {
		bigger = realloc(w->heap, room * sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		w->heap = bigger;
		w->room = room;
	}
	w->count++;
	for (; at && before(one, &w->heap[(at - 1) / 2]); at = up) {
		up = (at - 1) / 2;
		w->heap[at] = w->heap[up];
	}
	w->heap[at] = *one;
	return 0;
}

/* Put ONE at this place of the heap or below it. */
static void sink(struct rt_raw_waiting *w, size_t at, struct rt_raw_wait one)
{
	size_t down;

	for (; (down = 2 * at + 1) < w->count; at = down) {
		if (down + 1 < w->count && before(&w->heap[down + 1], &w->heap[down]))
			down++;
		if (!before(&w->heap[down], &one))
			break;
		w->heap[at] = w->heap[down];
	}
	w->heap[at] = one;
}

void rt_raw_waiting_take(struct rt_raw_waiting *w)
{
	w->count--;
	sink(w, 0, w->heap[w->count]);
}

void rt_raw_waiting_sort(struct rt_raw_waiting *w)
{
	size_t at = w->count / 2;

	while (at--)
		sink(w, at, w->heap[at]);
}

void rt_raw_waiting_free(struct rt_raw_waiting *w)
{
	free(w->heap);
	w->heap = NULL;
	w->count = w->room = 0;
}
