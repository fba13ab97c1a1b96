/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rows.h - the rows of the list: the lines of a table, and below an opened line its call tree as far
 * as it is opened.  With --hierarchy the lines of the next level are below a line, and call trees
 * below those of the last one.
 */
#ifndef RT_BROWSE_ROWS_H
#define RT_BROWSE_ROWS_H

#include "browse/branches.h"
#include "browse/levels.h"

struct rt_row {
	uint32_t line; /* of the table */
	uint32_t node; /* of the line's tree; 0: the line itself */
	uint32_t run;  /* the first node of the branch that the node is part of */
	uint16_t depth;
	bool value; /* the branch begins here, and its value is shown */
};

struct rt_rows { /* all zero: empty */
	struct rt_report_table *table;
	struct rt_row *list;
	uint32_t count, room;
	struct rt_branches branches;
	struct rt_levels levels;
	bool failed;
};

void rt_rows_free(struct rt_rows *rows);
/* The table was made again. */
void rt_rows_set(struct rt_rows *rows, struct rt_report_table *table);

/* List the rows: only lines whose text contains `only`, whatever the case, if that is not empty. */
void rt_rows_list(struct rt_rows *rows, const char *only, const unsigned int *widths);

/* Whether something is below a row, and whether it is shown. */
bool rt_row_has_more(struct rt_rows *rows, const struct rt_row *row);
bool rt_row_is_open(struct rt_rows *rows, const struct rt_row *row);
/* The function of a row, for rt_profile_func(). */
uint32_t rt_row_func(const struct rt_rows *rows, const struct rt_row *row);

/* Close everything. */
void rt_rows_close(struct rt_rows *rows);
/* Show or hide what is below a row; `all`: at every level below it.  List the rows afterwards. */
void rt_row_open(struct rt_rows *rows, const struct rt_row *row, bool open, bool all);

/* Append the text of a row as `report --stdio` has it; no end of line. */
void rt_row_text(struct rt_rows *rows, const struct rt_row *row, const unsigned int *widths,
		 struct rt_text *out);

#endif
