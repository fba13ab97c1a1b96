/* SPDX-License-Identifier: GPL-2.0 */
/* diff_table.h - the lines of the comparison of one event. */
#ifndef RT_REPORT_DIFF_TABLE_H
#define RT_REPORT_DIFF_TABLE_H

#include "report/diff.h"
#include "report/table.h"

struct rt_diff_line {
	size_t file;		    /* from which `line` is: the first that has it */
	const struct rt_line *line; /* with the lowest address, if they have no symbols */
	const char *name;	    /* tells lines apart, and orders them */
	struct rt_diff_cell {
		bool present;
		uint64_t period;
		double value; /* what is computed */
	} cell[];	      /* of each file */
};

struct rt_diff_table {
	const struct rt_diff_options *opt;
	struct rt_diff_file *files;
	size_t count; /* of files */
	struct rt_report_table *tables;
	uint64_t *total; /* of each file */
	struct rt_pool names;
	struct rt_text text; /* for short use */
	struct rt_arena arena;
	struct rt_diff_line **lines;
	uint32_t line_count, line_room;
};

/* Compare an event; events[i] is that of file i, or NULL. */
int rt_diff_table_make(struct rt_diff_table *t, const struct rt_diff_options *opt,
		       struct rt_diff_file *files, const struct rt_perf_event **events,
		       size_t count, struct rt_err *err);
void rt_diff_table_free(struct rt_diff_table *t);

static inline double rt_diff_percent(const struct rt_diff_table *t, const struct rt_diff_line *l,
				     size_t file)
{
	return t->total[file] ? (double)l->cell[file].period * 100.0 / (double)t->total[file] : 0;
}

#endif
