// SPDX-License-Identifier: GPL-2.0
#include "report/diff_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/key_list.h"

/* Lines with the same text are the same, except that symbols are compared by name. */
static uint32_t name_of(struct rt_diff_table *t, struct rt_report *r, const struct rt_line *l)
{
	const struct rt_columns *c = &r->columns;
	const struct rt_profile_func *f = rt_profile_func(r->profile, l->where.func);
	struct rt_text text;
	uint32_t number;
	size_t i;

	rt_text_init(&text);
	for (i = 0; i < c->key_count; i++) {
		const struct rt_key *key = c->keys[i];

		rt_text_char(&text, '\1');
		if (key->type == &rt_key_symbol)
			rt_text_str(&text, f->symbol ? f->name : "");
		else
			key->type->text(r, key, &l->where, 1u << 16, &text);
	}
	number = rt_pool_bytes(&t->names, text.base ? text.base : "", text.len);
	rt_text_free(&text);
	return number;
}

static struct rt_diff_line *get_line(struct rt_diff_table *t, uint32_t number)
{
	struct rt_diff_line *l;

	if (!number)
		return NULL;
	if (number <= t->line_count)
		return t->lines[number - 1];
	if (t->line_count == t->line_room) {
		uint32_t room = t->line_room ? 2 * t->line_room : 256;
		void *lines = realloc(t->lines, room * sizeof(*t->lines));

		if (!lines)
			return NULL;
		t->lines = lines;
		t->line_room = room;
	}
	l = rt_arena_alloc(&t->arena, sizeof(*l) + t->count * sizeof(l->cell[0]));
	if (l)
		t->lines[t->line_count++] = l;
	return l;
}

static int add_file(struct rt_diff_table *t, size_t file, const struct rt_perf_event **event,
		    struct rt_err *err)
{
	struct rt_report *r = &t->files[file].report;
	struct rt_report_table *table = &t->tables[file];
	uint32_t i;
	int ret;

	ret = rt_table_make(table, r, event, 1, err);
	if (ret)
		return ret;
	t->total[file] = table->total[0];
	for (i = 0; i < table->count; i++) {
		const struct rt_line *line = table->lines[i];
		struct rt_diff_line *l;

		l = get_line(t, name_of(t, r, line));
		if (!l)
			return rt_err_set(err, ENOMEM, "out of memory");
		if (!l->line || (l->file == file && line->where.address < l->line->where.address)) {
			l->line = line;
			l->file = file;
		}
		l->cell[file].present = true;
		l->cell[file].period += line->stat[0].period;
	}
	return 0;
}

static bool in_others(const struct rt_diff_table *t, const struct rt_diff_line *l)
{
	size_t i;

	for (i = 1; i < t->count; i++)
		if (l->cell[i].present)
			return true;
	return false;
}

/* --baseline-only: keep the lines that the first recording and another one have. */
static void keep_baseline(struct rt_diff_table *t)
{
	uint32_t i, n = 0;

	t->total[0] = 0;
	for (i = 0; i < t->line_count; i++) {
		struct rt_diff_line *l = t->lines[i];

		if (!l->cell[0].present || !in_others(t, l))
			continue;
		t->total[0] += l->cell[0].period;
		t->lines[n++] = l;
	}
	t->line_count = n;
}

static double compute(const struct rt_diff_table *t, const struct rt_diff_line *l, size_t file)
{
	double old = (double)l->cell[0].period, new = (double)l->cell[file].period;

	switch (t->opt->compute) {
	case RT_DIFF_RATIO:
		return old > 0 ? new / old : 0;
	case RT_DIFF_WEIGHTED:
		return (double)t->opt->weight_new * new - (double)t->opt->weight_old *old;
	default:
		return rt_diff_percent(t, l, file) - rt_diff_percent(t, l, 0);
	}
}

/* ---- the order of lines ------------------------------------------------------------------ */

static int compare_numbers(double a, double b)
{
	return a > b ? -1 : a < b;
}

static int compare_cells(const struct rt_diff_table *t, const struct rt_diff_line *a,
			 const struct rt_diff_line *b, size_t file)
{
	const struct rt_diff_cell *in_a = &a->cell[file], *in_b = &b->cell[file];

	if (!in_a->present || !in_b->present)
		return in_b->present - in_a->present;
	if (t->opt->compute == RT_DIFF_RATIO || t->opt->compute == RT_DIFF_WEIGHTED) {
		/* These need a value in the baseline. */
		if (!a->cell[0].present || !b->cell[0].present)
			return b->cell[0].present - a->cell[0].present;
	}
	if (t->opt->compute == RT_DIFF_DELTA_ABS)
		return compare_numbers(fabs(in_a->value), fabs(in_b->value));
	return compare_numbers(in_a->value, in_b->value);
}

/* The lines may be of different files, so compare what they print. */
static int compare_keys(const struct rt_diff_table *t, const struct rt_diff_line *a,
			const struct rt_diff_line *b)
{
	struct rt_report *ra = &t->files[a->file].report, *rb = &t->files[b->file].report;
	struct rt_text in_a, in_b;
	size_t i;
	int ret = 0;

	rt_text_init(&in_a);
	rt_text_init(&in_b);
	for (i = 0; !ret && i < ra->columns.key_count; i++) {
		const struct rt_key *key = ra->columns.keys[i], *other = rb->columns.keys[i];
		const struct rt_profile_func *f, *g;

		if (key->type == &rt_key_symbol) {
			f = rt_profile_func(ra->profile, a->line->where.func);
			g = rt_profile_func(rb->profile, b->line->where.func);
			ret = f->symbol && g->symbol ? strcmp(f->name, g->name) :
						       !f->symbol - !g->symbol;
			continue;
		}
		rt_text_reset(&in_a);
		rt_text_reset(&in_b);
		key->type->text(ra, key, &a->line->where, 1024, &in_a);
		other->type->text(rb, other, &b->line->where, 1024, &in_b);
		rt_text_char(&in_a, '\0');
		rt_text_char(&in_b, '\0');
		if (in_a.base && in_b.base)
			ret = strcmp(in_a.base, in_b.base);
	}
	rt_text_free(&in_a);
	rt_text_free(&in_b);
	return ret;
}

static int compare(const void *one, const void *two, void *arg)
{
	const struct rt_diff_line *a = *(struct rt_diff_line *const *)one;
	const struct rt_diff_line *b = *(struct rt_diff_line *const *)two;
	const struct rt_diff_table *t = arg;
	size_t i;
	int ret = 0;

	if (t->opt->order && t->opt->order < t->count)
		ret = compare_cells(t, a, b, t->opt->order);
	if (!ret)
		ret = compare_numbers((double)a->cell[0].period, (double)b->cell[0].period);
	for (i = 1; !ret && i < t->count; i++)
		ret = compare_cells(t, a, b, i);
	return ret ? ret : compare_keys(t, a, b);
}

/* ---- the table ----------------------------------------------------------------------------- */

int rt_diff_table_make(struct rt_diff_table *t, const struct rt_diff_options *opt,
		       struct rt_diff_file *files, const struct rt_perf_event **events,
		       size_t count, struct rt_err *err)
{
	uint32_t k;
	size_t i;
	int ret = 0;

	memset(t, 0, sizeof(*t));
	t->opt = opt;
	t->files = files;
	t->count = count;
	t->tables = calloc(count, sizeof(*t->tables));
	t->total = calloc(count, sizeof(*t->total));
	if (!t->tables || !t->total)
		return rt_err_set(err, ENOMEM, "out of memory");
	for (i = 0; !ret && i < count; i++)
		if (events[i])
			ret = add_file(t, i, &events[i], err);
	if (ret)
		return ret;
	/* perf computes with the total of all lines, but prints shares of those that it keeps. */
	if (opt->baseline_only && !files[0].report.opt->compat)
		keep_baseline(t);
	for (k = 0; k < t->line_count; k++)
		for (i = 1; i < count; i++)
			t->lines[k]->cell[i].value = compute(t, t->lines[k], i);
	if (opt->baseline_only)
		keep_baseline(t);
	if (t->line_count)
		qsort_r(t->lines, t->line_count, sizeof(*t->lines), compare, t);
	return 0;
}

void rt_diff_table_free(struct rt_diff_table *t)
{
	size_t i;

	for (i = 0; t->tables && i < t->count; i++)
		rt_table_free(&t->tables[i]);
	free(t->tables);
	free(t->total);
	free(t->lines);
	rt_arena_free(&t->arena);
	rt_pool_free(&t->names);
}
