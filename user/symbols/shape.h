/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shape.h - which of two overlapping symbols perf would find.
 *
 * perf keeps symbols in a red-black tree ordered by start and walks down by
 * "below start: left, past end: right".  Where ranges overlap (entry points in
 * the middle of an assembler function, for one) the answer depends on which
 * symbol happens to be nearer the root.  To give the same answer we grow the
 * same tree: the same insertions and removals in the same order.  Few objects
 * have overlaps; the others never build one.
 */
#ifndef RT_SYMBOLS_SHAPE_H
#define RT_SYMBOLS_SHAPE_H

#include <stdint.h>

#define RT_SHAPE_NONE UINT32_MAX

struct rt_shape_node {
	uint32_t left, right, parent;
	uint32_t red;
};

struct rt_shape {
	uint32_t root;
	struct rt_shape_node node[]; /* by sequence number */
};

/* Removals, each noted with how many insertions went before it. */
struct rt_shape_removal {
	uint32_t seq;
	uint32_t after;
};

struct rt_shape_log {
	uint64_t *start; /* keys by sequence number */
	uint32_t starts, starts_room;
	struct rt_shape_removal *removal;
	uint32_t removals, removals_room;
};

/* Both return -ENOMEM or 0. */
int rt_shape_log_insert(struct rt_shape_log *log, uint64_t start);
int rt_shape_log_remove(struct rt_shape_log *log, uint32_t seq);
void rt_shape_log_free(struct rt_shape_log *log);

/* Grow the tree; NULL when out of memory.  free() it. */
struct rt_shape *rt_shape_grow(const struct rt_shape_log *log);

#endif
