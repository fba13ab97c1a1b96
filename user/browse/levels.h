/* SPDX-License-Identifier: GPL-2.0 */
/*
 * levels.h - the lines of --hierarchy that were opened.  They stay open when the table is made
 * again.
 */
#ifndef RT_BROWSE_LEVELS_H
#define RT_BROWSE_LEVELS_H

#include "report/table.h"

struct rt_levels {	  /* all zero: none */
	uint64_t *opened; /* identities of lines */
	size_t count, room;
	bool *open; /* by line of the table */
	uint32_t lines;
	bool failed;
};

void rt_levels_free(struct rt_levels *l);
/* Close everything. */
void rt_levels_forget(struct rt_levels *l);
/* The table was made again. */
void rt_levels_set(struct rt_levels *l, const struct rt_report_table *table);
/* Open or close one line. */
void rt_levels_open(struct rt_levels *l, const struct rt_report_table *table, uint32_t line,
		    bool open);

static inline bool rt_levels_is_open(const struct rt_levels *l, uint32_t line)
{
	return line < l->lines && l->open[line];
}

#endif
