/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hierarchy.h - the table of --hierarchy: the values of each sort key below those of the one before.
 *
 * rt_hierarchy_make() replaces the lines of a table: a line for each value, and behind it those of
 * the next level below it.  A line knows its level, its parent and, as `number`, its own place.
 */
#ifndef RT_REPORT_HIERARCHY_H
#define RT_REPORT_HIERARCHY_H

#include "report/table.h"

/* Make the lines of all levels; find the widths of the columns before.  0 or -ENOMEM. */
int rt_hierarchy_make(struct rt_report_table *t);
/* The line behind all that are below LINE. */
uint32_t rt_hierarchy_end(const struct rt_report_table *t, uint32_t line);

/* Whether any line that is printed is right below LINE. */
bool rt_hierarchy_has_more(const struct rt_report_table *t, uint32_t line);
/* The name of the sort key of a level. */
const char *rt_hierarchy_key(const struct rt_report_table *t, unsigned int level);

/* The blanks in front of a line. */
unsigned int rt_hierarchy_indent(const struct rt_line *l);
/* Append one line, or the names of the columns; no end of line. */
void rt_hierarchy_columns(const struct rt_report_table *t, const struct rt_line *l,
			  const unsigned int *widths, struct rt_text *out);
void rt_hierarchy_names(const struct rt_report_table *t, const unsigned int *widths,
			struct rt_text *out);

/* Append the whole table; 0 or -ENOMEM. */
int rt_hierarchy_print(struct rt_report_table *t, struct rt_text *out);

#endif
