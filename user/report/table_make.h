/* SPDX-License-Identifier: GPL-2.0 */
/* table_make.h - the parts of making a table: its lines, and the time that callers have altogether. */
#ifndef RT_REPORT_TABLE_MAKE_H
#define RT_REPORT_TABLE_MAKE_H

#include "report/table.h"

/* What is known of a function in the group of sums at work. */
struct rt_table_memo {
	uint64_t group; /* not 0 */
	char level;	/* 0: nothing is mapped there */
	/* NULL: not made yet.  A function with a name has the same line as a caller. */
	struct rt_line *own, *line;
};

/* ---- lines ------------------------------------------------------------------------- */

/* What is known of FUNC in GROUP; ROOM is for tables that remember nothing. */
struct rt_table_memo *rt_table_recall(struct rt_report_table *t, uint32_t func, uint64_t group,
				      struct rt_table_memo *room);
/* 'k' or '.'; 0: nothing is mapped where the function would be. */
char rt_table_level(const struct rt_report_table *t, uint32_t func);
/* The line of a caller, or of a sampled function; without memory NULL, and t->failed. */
struct rt_line *rt_table_caller_line(struct rt_report_table *t, struct rt_table_memo *memo,
				     const struct rt_where *w);
struct rt_line *rt_table_own_line(struct rt_report_table *t, struct rt_table_memo *memo,
				  const struct rt_where *w);

/* ---- sums -------------------------------------------------------------------------- */

/* 'k', '.' or 'H', of where the samples of a sum were taken. */
char rt_sum_level(const struct rt_sum *sum);

/* Add a sum to the line of its own function.  NULL: it belongs to no line, or there is no memory. */
struct rt_line *rt_table_add_own(struct rt_report_table *t, uint32_t sum, uint64_t group,
				 size_t member);
/* Add all sums of the first event, and what they add to their callers. */
void rt_table_add_all(struct rt_report_table *t);

#endif
