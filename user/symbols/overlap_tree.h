/* SPDX-License-Identifier: GPL-2.0 */
/*
 * overlap_tree.h - which of two overlapping symbols perf would find.
 *
 * perf keeps symbols in a red-black tree ordered by start, and walks down by "below start: left,
 * past end: right".  If ranges overlap (for example entry points in the middle of an assembler
 * function), the answer depends on which symbol happens to be nearer the root.  To give the same
 * answer, this code builds the same tree: the same insertions and removals in the same order.  Few
 * objects have overlaps; the others never build a tree.
 */
#ifndef RT_SYMBOLS_OVERLAP_TREE_H
#define RT_SYMBOLS_OVERLAP_TREE_H

#include <stdint.h>

#define RT_SHAPE_NONE UINT32_MAX

struct rt_overlap_node {
	uint32_t left, right, parent;
	uint32_t red;
};

struct rt_overlap_tree {
	uint32_t root;
	struct rt_overlap_node node[]; /* indexed by sequence number */
};

/* A removal, with the number of insertions before it. */
struct rt_overlap_removal {
	uint32_t seq;
	uint32_t after;
};

struct rt_overlap_log {
	uint64_t *start; /* keys, indexed by sequence number */
	uint32_t starts, starts_room;
	struct rt_overlap_removal *removal;
	uint32_t removals, removals_room;
};

/* Both return -ENOMEM or 0. */
int rt_overlap_log_insert(struct rt_overlap_log *log, uint64_t start);
int rt_overlap_log_remove(struct rt_overlap_log *log, uint32_t seq);
void rt_overlap_log_free(struct rt_overlap_log *log);

/* Build the tree; NULL if out of memory.  The caller calls free(). */
struct rt_overlap_tree *rt_overlap_tree_build(const struct rt_overlap_log *log);

#endif
