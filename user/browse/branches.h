/* SPDX-License-Identifier: GPL-2.0 */
/*
 * branches.h - the call trees of the lines that were opened.
 *
 * A tree is made when its line is opened, and kept.  When the table is made again, the trees are made
 * again too, and what was open stays open.
 */
#ifndef RT_BROWSE_BRANCHES_H
#define RT_BROWSE_BRANCHES_H

#include "report/tree.h"

/* The call tree of one line. */
struct rt_branch {
	uint64_t identity; /* of the line */
	struct rt_tree_node *nodes;
	bool *open; /* of each node: what is below it is shown */
	uint32_t count;
};

struct rt_branches { /* all zero: none */
	struct rt_report_table *table;
	struct rt_branch *list;
	uint32_t count, room;
	uint32_t *of;	     /* of each line: its branch, from 1 up; 0: none */
	struct rt_tree tree; /* for short use */
	bool failed;
};

void rt_branches_free(struct rt_branches *bs);
/* Close everything. */
void rt_branches_forget(struct rt_branches *bs);
/* The table was made again. */
void rt_branches_set(struct rt_branches *bs, struct rt_report_table *table);

/* The branch of a line; NULL: it was not opened. */
struct rt_branch *rt_branches_at(const struct rt_branches *bs, uint32_t line);
/* Make it; NULL if there is no memory. */
struct rt_branch *rt_branches_add(struct rt_branches *bs, uint32_t line);

#endif
