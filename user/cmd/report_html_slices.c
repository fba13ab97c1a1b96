// SPDX-License-Identifier: GPL-2.0
/* report_html_slices.c - the numbers of a table over time, as JSON. */
#include <stdlib.h>

#include "base/large.h"
#include "cmd/report_html_table.h"

/* The numbers of one table at work: for each of its columns of numbers a row for each line shown. */
struct sheet {
	const struct rt_html_table *table;
	const struct rt_slices *slices;
	enum rt_column_kind kinds[RT_COLUMNS_MAX];
	size_t kind_count;
	uint32_t *row_of; /* by the number of a line: its row, from 1 up; 0: it is not shown */
	uint32_t *shown;  /* of each place: the next one outwards, or itself, whose line is shown */
	uint32_t *last;	  /* of each row: the sum that was added last, plus 1 */
	uint64_t (*values)[RT_SLICES_MAX];
};

static uint64_t *row_at(const struct sheet *s, size_t kind, uint32_t row)
{
	return s->values[kind * s->table->shown + row];
}

/* Whether a sum counts in a column of the line to which it contributes. */
static bool counts(const struct rt_sum *sum, bool self, enum rt_column_kind kind)
{
	switch (kind) {
	case RT_COL_CHILDREN:
		return true;
	case RT_COL_SYSTEM:
		return self && sum->cpumode == RT_MISC_KERNEL;
	case RT_COL_USER:
		return self && sum->cpumode == RT_MISC_USER;
	case RT_COL_GUEST_SYSTEM:
	case RT_COL_GUEST_USER:
		return false;
	default:
		return self;
	}
}

/* Add what a sum has in each slice of time to a row. */
static void add_sum(struct sheet *s, uint32_t sum, uint32_t row, bool self)
{
	const struct rt_slice_cell *cell, *from, *end = rt_slices_of(s->slices, sum, &from);
	size_t k;

	for (k = 0; k < s->kind_count; k++) {
		uint64_t *values = row_at(s, k, row - 1);

		if (!counts(&s->table->of.r->sums.list[sum], self, s->kinds[k]))
			continue;
		for (cell = from; cell < end; cell++)
			values[cell->slice] +=
				s->kinds[k] == RT_COL_SAMPLES ? cell->count : cell->weight;
	}
}

static void add_all(struct sheet *s)
{
	const struct rt_report_table *t = &s->table->of;
	const struct rt_table_end *end;
	uint32_t place, row;

	for (end = t->ends; end < t->ends + t->end_count; end++) {
		row = s->row_of[end->line];
		s->last[row] = end->sum + 1;
		if (row)
			add_sum(s, end->sum, row, true);
		for (place = s->shown[end->place]; place;
		     place = s->shown[t->places[place].caller]) {
			row = s->row_of[t->places[place].line];
			if (s->last[row] != end->sum + 1)
				add_sum(s, end->sum, row, false);
			s->last[row] = end->sum + 1;
		}
	}
}

static void find_shown(struct sheet *s)
{
	const struct rt_report_table *t = &s->table->of;
	uint32_t i;

	for (i = 0; i < s->table->shown; i++)
		s->row_of[t->lines[i]->number] = i + 1;
	for (i = 1; i < t->place_count; i++)
		s->shown[i] = s->row_of[t->places[i].line] ? i : s->shown[t->places[i].caller];
}

static bool open_sheet(struct sheet *s, const struct rt_html_table *table,
		       const struct rt_columns *cols, const struct rt_slices *slices)
{
	size_t c;

	*s = (struct sheet){ .table = table, .slices = slices };
	for (c = 0; c < cols->shown_count; c++)
		if (cols->list[cols->shown[c]].kind != RT_COL_KEY)
			s->kinds[s->kind_count++] = cols->list[cols->shown[c]].kind;
	s->row_of = calloc((size_t)table->made + 1, sizeof(*s->row_of));
	s->values = rt_large_table(s->kind_count * table->shown + 1, sizeof(*s->values));
	s->shown = calloc((size_t)table->of.place_count + 1, sizeof(*s->shown));
	s->last = calloc((size_t)table->shown + 1, sizeof(*s->last));
	return s->row_of && s->values && s->shown && s->last;
}

/*
 * Of most lines, all of the time is their own or none is: the row is that of the column before, or
 * empty.  True if that was so.
 */
static bool put_same(const struct rt_report_table *t, const struct rt_line *l,
		     enum rt_column_kind kind, size_t last, struct rt_text *out)
{
	uint64_t own = l->stat[0].period;
	size_t len = out->len - 1 - last; /* a comma is behind the last row */

	if (kind != RT_COL_SELF || !last || (own && own != rt_line_all(t, l)->period))
		return false;
	if (!own)
		rt_text_lit(out, "\"\"");
	else if (rt_text_room(out, len))
		rt_text_put(out, out->base + last, len);
	return true;
}

static void put_line(const struct sheet *s, uint32_t row, uint64_t unit, struct rt_slice_rows *rows)
{
	const struct rt_report_table *t = &s->table->of;
	size_t k, last = 0; /* where the row of the column before begins, if that is Children */

	rt_text_lit(rows->out, ",[");
	for (k = 0; k < s->kind_count; k++) {
		if (k)
			rt_text_char(rows->out, ',');
		if (put_same(t, t->lines[row], s->kinds[k], last, rows->out))
			continue;
		last = s->kinds[k] == RT_COL_CHILDREN ? rows->out->len : 0;
		rt_slice_rows_put(rows, row_at(s, k, row),
				  s->kinds[k] == RT_COL_SAMPLES ? 1 : unit);
	}
	rt_text_char(rows->out, ']');
}

/* The numbers to which percentages refer. */
static void put_total(const struct rt_html_table *table, uint64_t unit, struct rt_slice_rows *rows)
{
	const struct rt_report *r = table->of.r;
	uint32_t i;

	for (i = 0; i < r->sums.count; i++)
		if (r->sums.list[i].event == table->event->index &&
		    (!r->opt->relative || !r->sums.list[i].filtered))
			rt_slice_rows_weights(rows, i);
	rt_slice_rows_end(rows, unit);
}

void rt_html_table_slices(struct rt_html_tables *tables, const struct rt_perf_event *event,
			  uint64_t unit, struct rt_slice_rows *rows)
{
	const struct rt_html_table *table = rt_html_table_find(tables, event);
	struct sheet s;
	uint32_t i;

	put_total(table, unit, rows);
	if (open_sheet(&s, table, &tables->report.columns, rows->slices)) {
		find_shown(&s);
		add_all(&s);
		for (i = 0; i < table->shown; i++)
			put_line(&s, i, unit, rows);
	} else {
		rows->out->failed = true;
	}
	free(s.row_of);
	free(s.shown);
	free(s.last);
	free(s.values);
}
