// SPDX-License-Identifier: GPL-2.0
#include "report/order.h"

#include <stdlib.h>

uint64_t rt_line_number(const struct rt_report_table *t, const struct rt_line *l,
			enum rt_column_kind kind, size_t member)
{
	const struct rt_stat *stat = &l->stat[member];

	switch (kind) {
	case RT_COL_CHILDREN:
		return rt_line_all(t, l)[member].period;
	case RT_COL_SELF:
	case RT_COL_PERIODS:
		return stat->period;
	case RT_COL_SYSTEM:
		return stat->system;
	case RT_COL_USER:
		return stat->user;
	case RT_COL_SAMPLES:
		return stat->count;
	default:
		return 0;
	}
}

static bool by_depth(const struct rt_report_table *t, enum rt_column_kind kind)
{
	return kind == RT_COL_CHILDREN && t->r->opt->children &&
	       t->r->opt->graph.style != RT_GRAPH_NONE;
}

static int compare_numbers(const struct rt_report_table *t, enum rt_column_kind kind,
			   const struct rt_line *a, const struct rt_line *b)
{
	bool caller = t->r->opt->graph.caller;
	size_t m;

	for (m = 0; m < t->members; m++) {
		uint64_t in_a = rt_line_number(t, a, kind, m), in_b = rt_line_number(t, b, kind, m);

		if (in_a != in_b)
			return in_a > in_b ? -1 : 1;
		/* perf compares only the first event of a group here. */
		if (kind == RT_COL_CHILDREN)
			break;
	}
	/*
	 * Of two functions with the same time, the caller comes first.  perf compares them only if
	 * both were first seen in the same thread, so its order of equal lines depends on chance.
	 */
	if (by_depth(t, kind) && a->max_depth != b->max_depth)
		return (a->max_depth > b->max_depth) == caller ? -1 : 1;
	return 0;
}

static int compare_column(struct rt_report_table *t, const struct rt_column *col,
			  const struct rt_line *a, const struct rt_line *b)
{
	return col->kind == RT_COL_KEY ?
		       col->key->type->order(t->r, col->key, &a->where, &b->where) :
		       compare_numbers(t, col->kind, a, b);
}

static int compare_columns(struct rt_report_table *t, const struct rt_line *a,
			   const struct rt_line *b)
{
	const struct rt_columns *c = &t->r->columns;
	int ret = t->r->order_by ? compare_column(t, t->r->order_by, a, b) : 0;
	size_t i;

	for (i = 0; !ret && i < c->count; i++)
		if (c->list[i].sorted)
			ret = compare_column(t, &c->list[i], a, b);
	if (ret)
		return ret;
	/* Lines without symbols: by address. */
	if (a->where.address != b->where.address)
		return a->where.address < b->where.address ? -1 : 1;
	return (a->where.sum > b->where.sum) - (a->where.sum < b->where.sum);
}

static int compare_lines(struct rt_report_table *t, const struct rt_line *a,
			 const struct rt_line *b)
{
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	if (a->rank2 != b->rank2)
		return a->rank2 > b->rank2 ? -1 : 1;
	return compare_columns(t, a, b);
}

static int compare(const void *one, const void *two, void *arg)
{
	return compare_lines(arg, *(struct rt_line *const *)one, *(struct rt_line *const *)two);
}

/* Most lines differ in the first column by which they are sorted, and in what follows from it. */
static void rank_lines(struct rt_report_table *t)
{
	const struct rt_columns *c = &t->r->columns;
	const struct rt_column *first = t->r->order_by;
	bool caller = t->r->opt->graph.caller, deep;
	uint32_t i;

	for (i = 0; !first && i < c->count; i++)
		if (c->list[i].sorted)
			first = &c->list[i];
	deep = first && by_depth(t, first->kind);
	for (i = 0; i < t->count; i++) {
		struct rt_line *l = t->lines[i];

		l->rank = first && first->kind != RT_COL_KEY ?
				  rt_line_number(t, l, first->kind, 0) :
				  0;
		l->rank2 = !deep ? 0 : caller ? l->max_depth : UINT32_MAX - l->max_depth;
	}
}

void rt_table_sort(struct rt_report_table *t)
{
	rank_lines(t);
	if (t->count)
		qsort_r(t->lines, t->count, sizeof(*t->lines), compare, t);
}

/* Let the line at AT sink to its place in a heap, the last in order on top. */
static void sink(struct rt_report_table *t, uint32_t at, uint32_t n)
{
	struct rt_line *line = t->lines[at];
	uint32_t child;

	for (; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && compare_lines(t, t->lines[child + 1], t->lines[child]) > 0)
			child++;
		if (compare_lines(t, line, t->lines[child]) >= 0)
			break;
		t->lines[at] = t->lines[child];
	}
	t->lines[at] = line;
}

void rt_table_sort_first(struct rt_report_table *t, uint32_t rows)
{
	uint32_t i, n = rows < t->count ? rows : t->count;
	struct rt_line *line;

	if (!n)
		return;
	rank_lines(t);
	/* Keep the first lines in a heap: most of the others stay behind its last. */
	for (i = n < t->count ? n / 2 : 0; i-- > 0;)
		sink(t, i, n);
	for (i = n; i < t->count; i++) {
		if (compare_lines(t, t->lines[i], t->lines[0]) >= 0)
			continue;
		line = t->lines[0];
		t->lines[0] = t->lines[i];
		t->lines[i] = line;
		sink(t, 0, n);
	}
	qsort_r(t->lines, n, sizeof(*t->lines), compare, t);
}
