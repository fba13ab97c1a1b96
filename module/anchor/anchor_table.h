/* SPDX-License-Identifier: GPL-2.0 */
/*
 * anchor_table.h - a table that a reader of a memory image can find: a chain of blocks, filled from
 * the front.
 */
#ifndef RT_ANCHOR_TABLE_H
#define RT_ANCHOR_TABLE_H

#include <linux/types.h>

#include <uapi/ringtail.h>

#define RT_TABLE_BLOCK (32U << 10)
#define RT_TABLE_ROOM  (RT_TABLE_BLOCK - sizeof(struct rt_anchor_table))

struct rt_table {
	struct rt_anchor_table *first;
	struct rt_anchor_table *last;
	u32 blocks;
	bool kept; /* in the memory that the next boot leaves alone */
};

int rt_table_init(struct rt_table *table, u32 kind, const u8 *session, const u8 *boot_id,
		  bool kept);
void rt_table_free(struct rt_table *table);

/*
 * Room for an entry of BYTES (a multiple of 8, at most RT_TABLE_ROOM), or NULL.  It may hold bytes
 * of an entry that was given up before rt_table_add().
 */
void *rt_table_room(struct rt_table *table, u32 bytes);

/* Count the entry that rt_table_room() last made room for.  It must be complete. */
void rt_table_add(struct rt_table *table, u32 bytes);

/* The block after this one, or NULL. */
struct rt_anchor_table *rt_table_next(const struct rt_anchor_table *block);

#endif
