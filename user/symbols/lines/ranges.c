// SPDX-License-Identifier: GPL-2.0
/* ranges.c - see ranges.h */
#include "symbols/lines/ranges.h"

#include <stdlib.h>

bool rt_ranges_add(struct rt_ranges *r, uint64_t low, uint64_t high, void *of, uint32_t order)
{
	if (r->count == r->room) {
		size_t room = r->room ? r->room * 2 : 64;
		void *grown = realloc(r->range, room * sizeof(*r->range));

		if (!grown)
			return false;
		r->range = grown;
		r->room = room;
	}
	r->range[r->count++] = (struct rt_range){ low, high, 0, of, order };
	return true;
}

static int by_low(const void *a, const void *b)
{
	const struct rt_range *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void rt_ranges_sort(struct rt_ranges *r)
{
	uint64_t reach = 0;
	size_t i;

	if (r->count)
		qsort(r->range, r->count, sizeof(*r->range), by_low);
	for (i = 0; i < r->count; i++) {
		if (r->range[i].high > reach)
			reach = r->range[i].high;
		r->range[i].reach = reach;
	}
}

size_t rt_ranges_upper_bound(const struct rt_ranges *r, uint64_t addr)
{
	size_t low = 0, high = r->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (r->range[mid].low <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

void *rt_ranges_smallest(const struct rt_ranges *r, uint64_t addr)
{
	const struct rt_range *best = NULL;
	size_t i = rt_ranges_upper_bound(r, addr);

	while (i-- > 0 && r->range[i].reach > addr) {
		const struct rt_range *at = &r->range[i];
		uint64_t size = at->high - at->low;

		if (addr >= at->high)
			continue;
		if (!best || size < best->high - best->low ||
		    (size == best->high - best->low && at->order > best->order))
			best = at;
	}
	return best ? best->of : NULL;
}
