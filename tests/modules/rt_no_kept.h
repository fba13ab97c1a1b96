/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rt_no_kept.h - what ring_alloc.c needs of kernel/kept.c and kernel/memory.c, for modules that have no memory of
 * that kind and no limit.
 */
#ifndef RT_NO_KEPT_H
#define RT_NO_KEPT_H

#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/mm.h>

#include "kernel/kept.h"
#include "kernel/memory.h"

void *rt_kept_alloc(u32 bytes)
{
	return NULL;
}

void rt_block_free(void *block, u32 bytes)
{
	free_pages((unsigned long)block, get_order(bytes));
}

u64 rt_block_phys(const void *block)
{
	return virt_to_phys((void *)block);
}

bool rt_memory_has(u64 bytes, u64 *available)
{
	return true;
}

#endif
