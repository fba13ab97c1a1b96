/* SPDX-License-Identifier: GPL-2.0 */
/* print.h - the tables as text. */
#ifndef RT_REPORT_PRINT_H
#define RT_REPORT_PRINT_H

#include "report/table.h"

/* Whether a table leaves out a column: a field of another event. */
bool rt_print_skips(const struct rt_report_table *t, const struct rt_column *c);

/* The name of a column. */
const char *rt_print_name(const struct rt_report_table *t, const struct rt_column *c);
/* The widths of the columns, from the lines that may be printed. */
void rt_print_widths(const struct rt_report_table *t, unsigned int *widths);
/* -w: fixed widths, as far as the list goes. */
void rt_print_fix_widths(const struct rt_report_table *t, unsigned int *widths);
/* "Samples: …" and below it "# Event count …", without an end of line. */
void rt_print_totals(const struct rt_report_table *t, struct rt_text *out);
/* The names of the columns as one line, without its end. */
void rt_print_names(const struct rt_report_table *t, const unsigned int *widths,
		    struct rt_text *out);
/* Whether a line is printed: it passes the filters and --percent-limit. */
bool rt_print_wants(const struct rt_report_table *t, const struct rt_line *l);

/* A number of a line, for each event of the table. */
void rt_print_number(const struct rt_report_table *t, const struct rt_line *l,
		     enum rt_column_kind kind, unsigned int width, struct rt_text *out);

/* The columns of one line, without its end. */
void rt_print_columns(const struct rt_report_table *t, const struct rt_line *l,
		      const unsigned int *widths, struct rt_text *out);

/* Append column names and lines to the text, and write it when it gets long; 0 or -errno. */
int rt_print_table(struct rt_report_table *t, struct rt_text *text, FILE *out);

#endif
