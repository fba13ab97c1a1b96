/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ranges.h - address ranges that may lie inside each other, and what they are of.
 *
 * Added in any order, sorted once, then asked.  Each range knows how far it and all
 * before it reach, so a search walks back no further than something can hold the
 * address.
 */
#ifndef RT_SYMBOLS_RANGES_H
#define RT_SYMBOLS_RANGES_H

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

/* False without memory. */
bool rt_ranges_add(struct rt_ranges *r, uint64_t low, uint64_t high, void *of, uint32_t order);
void rt_ranges_sort(struct rt_ranges *r);

/* One past the last range that begins at or before addr. */
size_t rt_ranges_upper_bound(const struct rt_ranges *r, uint64_t addr);

/* What the smallest range around addr is of, or NULL. */
void *rt_ranges_smallest(const struct rt_ranges *r, uint64_t addr);

#endif
