/* SPDX-License-Identifier: GPL-2.0 */
/* thread_counts.h - `report -T`: the counts of threads that `record -s` writes, as a table. */
#ifndef RT_REPORT_THREAD_COUNTS_H
#define RT_REPORT_THREAD_COUNTS_H

#include <stdio.h>

#include "base/error.h"
#include "base/hash.h"
#include "perfdata/read/reader.h"

struct rt_thread_counts {
	struct rt_thread_counts_row *rows;    /* the threads, as they come in the recording */
	const struct rt_perf_event **columns; /* the events, in the same way */
	struct rt_thread_counts_cell *cells;
	size_t row_count, row_room, column_count, column_room, cell_count, cell_room;
	struct rt_index index; /* of the rows */
	bool failed;	       /* no memory */
};

/* For rt_profile_on_record(). */
void rt_thread_counts_take(void *counts, const struct rt_perf_record *rec);
/* -ENOENT: the recording has none. */
int rt_thread_counts_print(struct rt_thread_counts *counts, FILE *out, struct rt_err *err);
void rt_thread_counts_free(struct rt_thread_counts *counts);

#endif
