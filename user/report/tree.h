/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tree.h - the call tree of one line.
 *
 * The tree is built in memory that the next tree uses again.  A branch is a run of functions of
 * which each calls only the next one; it ends where calls divide or where a stack ends.
 */
#ifndef RT_REPORT_TREE_H
#define RT_REPORT_TREE_H

#include "report/table.h"

struct rt_tree_node {
	uint32_t parent, child, sibling; /* 0: none; node 0 is the root */
	uint32_t func, same;		 /* of the profile; see rt_key_same() */
	uint64_t ip, address;		 /* as first seen */
	uint64_t hit, count;		 /* of the stacks that end here */
	uint64_t all_hit, all_count;	 /* with everything below */
	uint32_t children;
};

struct rt_tree {
	struct rt_tree_node *nodes;
	uint32_t count, room;
	struct rt_tree_slot *slots;
	uint32_t mask, generation;
	/* For each node of the profile, the node of this tree that stands for it. */
	struct rt_tree_slot *known;
	uint32_t known_count, known_generation;
	uint32_t *sorted; /* room for lists of children */
	size_t sorted_count, sorted_room;
	bool single; /* all stacks begin at one node of the profile, so no nodes are the same */
	bool failed;
};

void rt_tree_free(struct rt_tree *tree);

/* Build the tree of a line. */
void rt_tree_make(struct rt_tree *tree, struct rt_report_table *t, const struct rt_line *l);

/* The last node of the branch that begins at `node`. */
uint32_t rt_tree_branch_end(const struct rt_tree *tree, uint32_t node);

/*
 * List the children of a node that have at least `least` hits, greatest first.  The list is at
 * tree->sorted[*from]; set tree->sorted_count back to *from after use.  Returns how many.
 */
size_t rt_tree_children(struct rt_tree *tree, struct rt_report *r, uint32_t node, uint64_t least,
			size_t *from);

#endif
