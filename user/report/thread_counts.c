// SPDX-License-Identifier: GPL-2.0
#include "report/thread_counts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct rt_thread_counts_row {
	int32_t pid, tid;
};

/* The counts of a thread and an event add up: perf writes one for each CPU. */
struct rt_thread_counts_cell {
	uint32_t row, column;
	uint64_t value;
};

enum { WIDTH_MIN = 3 }; /* of PID and TID */

/* Make room for one more entry of SIZE bytes; false: no memory. */
static bool grow(void *list, size_t count, size_t *room, size_t size)
{
	void **at = list, *bigger;
	size_t more = *room ? 2 * *room : 16;

	if (count < *room)
		return true;
	bigger = realloc(*at, more * size);
	if (!bigger)
		return false;
	*at = bigger;
	*room = more;
	return true;
}

static uint64_t hash(struct rt_thread_counts_row row)
{
	return rt_hash_mix((uint32_t)row.pid, (uint32_t)row.tid);
}

/* The number of the thread's row, from 1; 0: no memory. */
static uint32_t row_of(struct rt_thread_counts *t, struct rt_thread_counts_row row)
{
	struct rt_index_probe probe;
	uint32_t i;

	for (i = rt_index_first(&t->index, hash(row), &probe); i;
	     i = rt_index_next(&t->index, &probe))
		if (t->rows[i - 1].pid == row.pid && t->rows[i - 1].tid == row.tid)
			return i;
	if (!grow(&t->rows, t->row_count, &t->row_room, sizeof(*t->rows)) ||
	    !rt_index_add(&t->index, hash(row), (uint32_t)t->row_count + 1))
		return 0;
	t->rows[t->row_count++] = row;
	return (uint32_t)t->row_count;
}

/* The number of the event's column, from 1; 0: no memory. */
static uint32_t column_of(struct rt_thread_counts *t, const struct rt_perf_event *event)
{
	size_t i;

	for (i = 0; i < t->column_count; i++)
		if (t->columns[i] == event)
			return (uint32_t)i + 1;
	if (!grow(&t->columns, t->column_count, &t->column_room, sizeof(*t->columns)))
		return 0;
	t->columns[t->column_count++] = event;
	return (uint32_t)t->column_count;
}

void rt_thread_counts_take(void *counts, const struct rt_perf_record *rec)
{
	const struct rt_perf_record_read *read = (const void *)rec->hdr;
	struct rt_thread_counts *t = counts;
	uint32_t row, column;

	if (rec->hdr->type != RT_PERF_RECORD_READ || !rec->event ||
	    rec->hdr->size < sizeof(*read) + sizeof(read->values[0]))
		return;
	row = row_of(t, (struct rt_thread_counts_row){ (int32_t)read->pid, (int32_t)read->tid });
	column = column_of(t, rec->event);
	if (!row || !column || !grow(&t->cells, t->cell_count, &t->cell_room, sizeof(*t->cells))) {
		t->failed = true;
		return;
	}
	t->cells[t->cell_count++] =
		(struct rt_thread_counts_cell){ row - 1, column - 1, read->values[0] };
}

static int compare(const void *one, const void *two)
{
	const struct rt_thread_counts_cell *a = one, *b = two;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return (a->column > b->column) - (a->column < b->column);
}

/* Sort, and make one cell of those of the same thread and event. */
static void add_up(struct rt_thread_counts *t)
{
	struct rt_thread_counts_cell *last = t->cells;
	size_t i;

	qsort(t->cells, t->cell_count, sizeof(*t->cells), compare);
	for (i = 1; i < t->cell_count; i++) {
		if (compare(last, &t->cells[i]))
			*++last = t->cells[i];
		else
			last->value += t->cells[i].value;
	}
	t->cell_count = (size_t)(last - t->cells) + 1;
}

static int digits(uint64_t value)
{
	return snprintf(NULL, 0, "%" PRIu64, value);
}

static int wider(int width, int other)
{
	return width > other ? width : other;
}

static void print(const struct rt_thread_counts *t, int *widths, FILE *out)
{
	const struct rt_thread_counts_cell *cell = t->cells, *end = cell + t->cell_count;
	int pid = WIDTH_MIN, tid = WIDTH_MIN;
	size_t row, column;

	for (row = 0; row < t->row_count; row++) {
		pid = wider(pid, snprintf(NULL, 0, "%d", t->rows[row].pid));
		tid = wider(tid, snprintf(NULL, 0, "%d", t->rows[row].tid));
	}
	for (column = 0; column < t->column_count; column++)
		widths[column] = (int)strlen(rt_perf_event_name(t->columns[column]));
	for (cell = t->cells; cell < end; cell++)
		widths[cell->column] = wider(widths[cell->column], digits(cell->value));

	fprintf(out, "# %*s  %*s", pid, "PID", tid, "TID");
	for (column = 0; column < t->column_count; column++)
		fprintf(out, "  %*s", widths[column], rt_perf_event_name(t->columns[column]));
	fputc('\n', out);
	for (row = 0, cell = t->cells; row < t->row_count; row++) {
		fprintf(out, "  %*d  %*d", pid, t->rows[row].pid, tid, t->rows[row].tid);
		for (column = 0; column < t->column_count; column++) {
			bool has = cell < end && cell->row == row && cell->column == column;

			fprintf(out, "  %*" PRIu64, widths[column], has ? cell->value : 0);
			cell += has;
		}
		fputc('\n', out);
	}
}

int rt_thread_counts_print(struct rt_thread_counts *t, FILE *out, struct rt_err *err)
{
	int *widths;

	if (!t->failed && !t->cell_count)
		return rt_err_set(
			err, ENOENT,
			"-T: the recording has no counts of threads; 'record -s' writes them");
	widths = t->failed ? NULL : calloc(t->column_count, sizeof(*widths));
	if (!widths)
		return rt_err_set(err, ENOMEM, "out of memory");
	add_up(t);
	print(t, widths, out);
	free(widths);
	return 0;
}

void rt_thread_counts_free(struct rt_thread_counts *t)
{
	rt_index_free(&t->index);
	free(t->rows);
	free(t->columns);
	free(t->cells);
	memset(t, 0, sizeof(*t));
}
