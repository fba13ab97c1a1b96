// SPDX-License-Identifier: GPL-2.0
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "anchor_table.h"
#include "kernel/kept.h"

static struct rt_anchor_table *new_block(u32 kind, const u8 *session, const u8 *boot_id, bool kept)
{
	struct rt_anchor_table *block;

	block = kept ? rt_kept_alloc(RT_TABLE_BLOCK) :
		       (void *)__get_free_pages(GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN,
						get_order(RT_TABLE_BLOCK));
	if (!block)
		return NULL;
	block->abi_major = RT_ABI_MAJOR;
	block->abi_minor = RT_ABI_MINOR;
	block->kind = kind;
	block->bytes = RT_TABLE_BLOCK;
	block->used = sizeof(*block);
	block->phys = rt_block_phys(block);
	memcpy(block->session, session, sizeof(block->session));
	memcpy(block->boot_id, boot_id, sizeof(block->boot_id));
	/* Pairs with find_table() in image.c: a block that has its magic number is complete. */
	smp_wmb();
	WRITE_ONCE(block->magic, RT_TABLE_MAGIC);
	return block;
}

int rt_table_init(struct rt_table *table, u32 kind, const u8 *session, const u8 *boot_id, bool kept)
{
	table->kept = kept;
	table->first = new_block(kind, session, boot_id, kept);
	table->last = table->first;
	table->blocks = 1;
	return table->first ? 0 : -ENOMEM;
}

struct rt_anchor_table *rt_table_next(const struct rt_anchor_table *block)
{
	u64 next = READ_ONCE(block->next); /* LOOK walks while the module's notifier appends */

	return next ? rt_block_virt(next) : NULL;
}

void rt_table_free(struct rt_table *table)
{
	struct rt_anchor_table *block = table->first, *next;

	for (; block; block = next) {
		next = rt_table_next(block);
		WRITE_ONCE(block->magic, 0);
		rt_block_free(block, RT_TABLE_BLOCK);
	}
	memset(table, 0, sizeof(*table));
}

void *rt_table_room(struct rt_table *table, u32 bytes)
{
	struct rt_anchor_table *last = table->last, *block;

	if (bytes > last->bytes - last->used) {
		block = new_block(last->kind, last->session, last->boot_id, table->kept);
		if (!block)
			return NULL;
		WRITE_ONCE(last->next, block->phys);
		table->last = last = block;
		table->blocks++;
	}
	return (char *)last + last->used;
}

void rt_table_add(struct rt_table *table, u32 bytes)
{
	/* Pairs with rt_image_next_event(), rt_image_next_module(): a counted entry is complete. */
	smp_wmb();
	WRITE_ONCE(table->last->used, table->last->used + bytes);
}
