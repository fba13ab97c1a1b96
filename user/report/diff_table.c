// SPDX-License-Identifier: GPL-2.0
#include "report/diff_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/key_list.h"

/* Numbers and short texts get so many columns.  More than this is a text, which has its own width. */
#define LEAST_WIDTH 64
/* Behind every name of a symbol. */
#define NO_SYMBOL "\xff"

static void put_key(struct rt_report *r, const struct rt_key *key, const struct rt_where *w,
		    struct rt_text *out)
{
	const struct rt_profile_func *f = rt_profile_func(r->profile, w->func);
	unsigned int width = LEAST_WIDTH;

	if (key->type == &rt_key_symbol) {
		rt_text_str(out, f->symbol ? f->name : NO_SYMBOL);
		return;
	}
	if (key->type->width && key->type->width(r, key, w) > width)
		width = key->type->width(r, key, w);
	key->type->text(r, key, w, width, out);
	while (out->len && out->base[out->len - 1] == ' ')
		out->len--;
}

/*
 * Lines with the same text are the same, except that symbols are compared by name.  The order of the
 * texts is that of lines with equal numbers: what is between the keys comes before all that is in them.
 */
static uint32_t name_of(struct rt_diff_table *t, struct rt_report *r, const struct rt_line *l)
{
	const struct rt_columns *c = &r->columns;
	size_t i;

	rt_text_reset(&t->text);
	for (i = 0; i < c->key_count; i++) {
		rt_text_char(&t->text, '\1');
		put_key(r, c->keys[i], &l->where, &t->text);
	}
	return t->text.failed ? 0 : rt_pool_bytes(&t->names, t->text.base, t->text.len);
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
		uint32_t number = name_of(t, r, line);
		struct rt_diff_line *l = get_line(t, number);

		if (!l)
			return rt_err_set(err, ENOMEM, "out of memory");
		l->name = rt_pool_get(&t->names, number);
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
	return ret ? ret : strcmp(a->name, b->name);
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
	rt_text_init(&t->text);
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
	rt_text_free(&t->text);
}
