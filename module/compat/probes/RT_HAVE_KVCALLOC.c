// SPDX-License-Identifier: GPL-2.0
/* 4.18: 1c542f38ab8d "mm: Introduce kvcalloc()" */
#include <linux/mm.h>
#include <linux/slab.h>

void *rt_probe(size_t count);
void *rt_probe(size_t count)
{
	return kvcalloc(count, 8, GFP_KERNEL);
}
