/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kept_space.h - which parts of a range of memory are free: a buddy system, so that thousands of blocks are
 * found and freed without a search through all others.
 *
 * A block has a power of two of pages and is aligned to its size.  There is one bitmap for each size, with a
 * bit for each block that is free and not part of a larger free one.
 */
#ifndef RT_KEPT_SPACE_H
#define RT_KEPT_SPACE_H

#include <linux/types.h>

#define RT_KEPT_ORDERS 11 /* up to RT_SUBBUF_BYTES_MAX in pages of 4 KB, and beyond it */

struct rt_kept_space {
	u64 first, end;	    /* numbers of pages of the range, END excluded */
	unsigned int shift; /* of a page */
	u64 free;	    /* pages */
	struct {
		unsigned long *bits; /* of blocks from `base` on */
		u64 base;	     /* number of the first block, in blocks */
		u64 count;
		u64 hint; /* no block before this one is free */
	} order[RT_KEPT_ORDERS];
};

/* The whole pages of the range from AT on, in bytes; -ENOMEM. */
int rt_kept_space_init(struct rt_kept_space *space, u64 at, u64 bytes, unsigned int shift);
void rt_kept_space_exit(struct rt_kept_space *space);

/* BYTES is a power of two and at least a page.  False: there is no such block; *AT is its address. */
bool rt_kept_space_take(struct rt_kept_space *space, u64 bytes, u64 *at);
/* What rt_kept_space_take() gave, with the same BYTES. */
void rt_kept_space_give(struct rt_kept_space *space, u64 at, u64 bytes);

#endif
