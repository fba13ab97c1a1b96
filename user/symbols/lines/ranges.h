/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ranges.h - address ranges that may be nested, and their owners.
 *
 * Add them in any order, sort once, then look up.  Each range stores how far it and all before it
 * reach, so a search stops walking back when no earlier range can contain the address.
 */
#ifndef RT_SYMBOLS_LINES_RANGES_H
#define RT_SYMBOLS_LINES_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_range {
	uint64_t low, high;
	uint64_t reach; /* the greatest high up to here */
	void *of;
	uint32_t order; /* the later one wins a tie */
};

struct rt_ranges {
	struct rt_range *range;
	size_t count, room;
};

/* False if there is no memory. */
bool rt_ranges_add(struct rt_ranges *r, uint64_t low, uint64_t high, void *of, uint32_t order);
void rt_ranges_sort(struct rt_ranges *r);

/* The index behind the last range that begins at or before addr. */
size_t rt_ranges_upper_bound(const struct rt_ranges *r, uint64_t addr);

/* The owner of the smallest range that contains addr, or NULL. */
void *rt_ranges_smallest(const struct rt_ranges *r, uint64_t addr);

#endif
