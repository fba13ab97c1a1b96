/* SPDX-License-Identifier: GPL-2.0 */
/* report_html_table.h - the tables of a page: HTML, and numbers over time as JSON. */
#ifndef RT_CMD_REPORT_HTML_TABLE_H
#define RT_CMD_REPORT_HTML_TABLE_H

#include "draw/slice_rows.h"
#include "report/report.h"
#include "report/table.h"

/* The table of one event. */
struct rt_html_table {
	struct rt_report_table of;
	const struct rt_perf_event *event;
	uint32_t made;	/* lines, also those that options leave out */
	uint32_t shown; /* of its lines, the first ones */
	struct rt_html_table *next;
};

struct rt_html_tables { /* all zero: empty */
	struct rt_report report;
	struct rt_html_table *list;
	struct rt_text text; /* of one key */
};

/* Append the table of an event with at most ROWS rows; 0 or a negative errno with the sentence. */
int rt_html_table_put(struct rt_html_tables *tables, const struct rt_perf_event *event, size_t rows,
		      struct rt_text *out, struct rt_err *err);
/* The table of an event that was put before; NULL: none. */
struct rt_html_table *rt_html_table_find(struct rt_html_tables *tables,
					 const struct rt_perf_event *event);
/* Append a row of totals and a list of rows, one for each column of numbers, for each line shown. */
void rt_html_table_slices(struct rt_html_tables *tables, const struct rt_perf_event *event,
			  uint64_t unit, struct rt_slice_rows *rows);
void rt_html_tables_free(struct rt_html_tables *tables);

#endif
