// SPDX-License-Identifier: GPL-2.0
#include "kept_space.h"

#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/string.h>

/* BLOCK: its number in blocks of this order, counted from address 0. */
static void set_free(struct rt_kept_space *space, unsigned int order, u64 block)
{
	u64 i = block - space->order[order].base;

	__set_bit(i, space->order[order].bits);
	space->order[order].hint = min(space->order[order].hint, i);
}

/* Whether the block is in the range and free as a whole; then it no longer is. */
static bool clear_free(struct rt_kept_space *space, unsigned int order, u64 block)
{
	u64 base = space->order[order].base;

	return block >= base && block - base < space->order[order].count &&
	       __test_and_clear_bit(block - base, space->order[order].bits);
}

static bool find_free(struct rt_kept_space *space, unsigned int order, u64 *block)
{
	u64 count = space->order[order].count;
	u64 i = find_next_bit(space->order[order].bits, count, space->order[order].hint);

	space->order[order].hint = i;
	*block = space->order[order].base + i;
	return i < count;
}

static int order_init(struct rt_kept_space *space, unsigned int order)
{
	u64 base = space->first >> order;
	u64 count = (space->end >> order) + 1 - base;

	space->order[order].base = base;
	space->order[order].count = count;
	space->order[order].hint = count;
	space->order[order].bits =
		kvcalloc(BITS_TO_LONGS(count), sizeof(unsigned long), GFP_KERNEL);
	return space->order[order].bits ? 0 : -ENOMEM;
}

int rt_kept_space_init(struct rt_kept_space *space, u64 at, u64 bytes, unsigned int shift)
{
	unsigned int order;
	u64 page;

	memset(space, 0, sizeof(*space));
	space->shift = shift;
	space->first = (at + (1ULL << shift) - 1) >> shift;
	space->end = (at + bytes) >> shift;
	space->free = space->end - space->first;
	for (order = 0; order < RT_KEPT_ORDERS; order++)
		if (order_init(space, order)) {
			rt_kept_space_exit(space);
			return -ENOMEM;
		}
	/* The largest blocks that are aligned and fit. */
	for (page = space->first; page < space->end; page += 1ULL << order) {
		order = RT_KEPT_ORDERS - 1;
		while (page & ((1ULL << order) - 1) || page + (1ULL << order) > space->end)
			order--;
		set_free(space, order, page >> order);
	}
	return 0;
}

void rt_kept_space_exit(struct rt_kept_space *space)
{
	unsigned int order;

	for (order = 0; order < RT_KEPT_ORDERS; order++) {
		kvfree(space->order[order].bits);
		space->order[order].bits = NULL;
		space->order[order].count = 0;
	}
	space->free = 0;
}

bool rt_kept_space_take(struct rt_kept_space *space, u64 bytes, u64 *at)
{
	unsigned int wanted = ilog2(bytes) - space->shift, order = wanted;
	u64 block = 0;

	while (order < RT_KEPT_ORDERS && !find_free(space, order, &block))
		order++;
	if (order >= RT_KEPT_ORDERS)
		return false;
	clear_free(space, order, block);
	/* Take the first half, and leave the second. */
	for (; order > wanted; order--) {
		block *= 2;
		set_free(space, order - 1, block + 1);
	}
	space->free -= 1ULL << wanted;
	*at = block << (wanted + space->shift);
	return true;
}

void rt_kept_space_give(struct rt_kept_space *space, u64 at, u64 bytes)
{
	unsigned int order = ilog2(bytes) - space->shift;
	u64 block = at >> (order + space->shift);

	space->free += 1ULL << order;
	while (order < RT_KEPT_ORDERS - 1 && clear_free(space, order, block ^ 1)) {
		block /= 2;
		order++;
	}
	set_free(space, order, block);
}
