// SPDX-License-Identifier: GPL-2.0
#include "perfdata/read/block.h"

#include <stdlib.h>

struct rt_block *rt_block_new(size_t size)
{
	struct rt_block *block = malloc(sizeof(*block) + size);

	if (!block)
		return NULL;
	block->refs = 1;
	block->runs = 0;
	block->size = size;
	block->used = 0;
	return block;
}

struct rt_block *rt_block_get(struct rt_block *block)
{
	if (block)
		__atomic_add_fetch(&block->refs, 1, __ATOMIC_RELAXED);
	return block;
}

void rt_block_put(struct rt_block *block)
{
	/*
	 * Pairs with itself in other threads and with the acquire in rt_block_alone(): a thread's
	 * reads end before another thread frees or refills the block.
	 */
	if (block && !__atomic_sub_fetch(&block->refs, 1, __ATOMIC_ACQ_REL))
		free(block);
}

bool rt_block_alone(const struct rt_block *block)
{
	return __atomic_load_n(&block->refs, __ATOMIC_ACQUIRE) == 1;
}
