// SPDX-License-Identifier: GPL-2.0
/*
 * anchor_look.c - give a program what a reader of a memory image would find.  Nothing but the parts of
 * this anchor can be read: each address is compared with theirs.
 */
#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/uaccess.h>

#include "anchor.h"
#include "anchor_keeper.h"
#include "kernel/kept.h"

static bool inside(u64 phys, u32 bytes, u64 start, u64 length)
{
	return phys >= start && phys - start <= length && bytes <= length - (phys - start);
}

static bool in_table(const struct rt_table *table, u64 phys, u32 bytes)
{
	const struct rt_anchor_table *block;

	for (block = table->first; block; block = rt_table_next(block))
		if (inside(phys, bytes, rt_block_phys(block), block->bytes))
			return true;
	return false;
}

static bool in_parts(const struct rt_anchor *anchor, u64 phys, u32 bytes)
{
	u64 start;
	u32 i;

	for (i = 0; i < anchor->parts; i++) {
		start = READ_ONCE(anchor->part[i].phys);
		smp_rmb(); /* pairs with anchor_point(): a part that is listed has its size */
		if (start && inside(phys, bytes, start, anchor->part[i].bytes))
			return true;
	}
	return false;
}

int rt_anchor_look(struct rt_anchor_keeper *keeper, u64 phys, void __user *to, u32 bytes)
{
	u32 done, part;
	u64 own = rt_block_phys(keeper->anchor);

	if (!phys)
		phys = own;
	if (!inside(phys, bytes, own, keeper->anchor->bytes) &&
	    !in_parts(keeper->anchor, phys, bytes) && !in_table(&keeper->events, phys, bytes) &&
	    !in_table(&keeper->modules, phys, bytes))
		return -ENXIO;
	/* By pages: some kernels let no copy to a user go beyond one that is allocated as such. */
	for (done = 0; done < bytes; done += part) {
		part = min_t(u32, bytes - done, PAGE_SIZE - offset_in_page(phys + done));
		if (copy_to_user(to + done, rt_block_virt(phys + done), part))
			return -EFAULT;
	}
	return 0;
}
