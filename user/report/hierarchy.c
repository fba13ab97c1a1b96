// SPDX-License-Identifier: GPL-2.0
#include "report/hierarchy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/graph.h"
#include "report/print.h"

#define INDENT 3

struct printing {
	struct rt_report_table *t;
	const unsigned int *widths; /* of the shown columns */
	struct rt_text *out;
	struct rt_tree tree;
	size_t levels[RT_COLUMNS_MAX]; /* the shown columns that are keys */
	size_t level_count;
	size_t level; /* for the sorting functions */
	bool failed;
};

static const struct rt_column *shown(const struct printing *p, size_t i)
{
	return &p->t->r->columns.list[p->t->r->columns.shown[i]];
}

static const struct rt_key *key_of(const struct printing *p, size_t level)
{
	return shown(p, p->levels[level])->key;
}

static int compare_ids(const void *one, const void *two, void *arg)
{
	const struct printing *p = arg;
	const struct rt_key *key = key_of(p, p->level);
	uint64_t a = key->type->id(p->t->r, key, &(*(struct rt_line *const *)one)->where);
	uint64_t b = key->type->id(p->t->r, key, &(*(struct rt_line *const *)two)->where);

	return (a > b) - (a < b);
}

/* The lines of one value, and their sums. */
struct value {
	size_t from, count;
	struct rt_line *sum;
};

static int compare_values(const void *one, const void *two, void *arg)
{
	const struct value *a = one, *b = two;
	const struct printing *p = arg;
	const struct rt_key *key = key_of(p, p->level);
	size_t m;

	for (m = 0; m < p->t->members; m++)
		if (a->sum->stat[m].period != b->sum->stat[m].period)
			return a->sum->stat[m].period > b->sum->stat[m].period ? -1 : 1;
	m = (size_t)key->type->order(p->t->r, key, &a->sum->where, &b->sum->where);
	if ((int)m)
		return (int)m;
	return (a->sum->where.address > b->sum->where.address) -
	       (a->sum->where.address < b->sum->where.address);
}

static void put_value(struct printing *p, const struct rt_line *sum, size_t level)
{
	const struct rt_columns *cols = &p->t->r->columns;
	const struct rt_key *key = key_of(p, level);
	size_t i, start;

	rt_text_fill(p->out, ' ', (int)level * INDENT);
	for (i = 0; i < cols->shown_count; i++) {
		if (shown(p, i)->kind == RT_COL_KEY)
			continue;
		rt_text_lit(p->out, "  ");
		start = p->out->len;
		rt_print_number(p->t, sum, shown(p, i)->kind, p->widths[i], p->out);
		if (p->out->len - start < p->widths[i])
			rt_text_fill(p->out, ' ', (int)(p->widths[i] - (p->out->len - start)));
	}
	rt_text_fill(p->out, ' ', (int)(p->level_count - 1) * INDENT);
	rt_text_lit(p->out, "  ");
	start = p->out->len;
	key->type->text(p->t->r, key, &sum->where, p->widths[p->levels[level]], p->out);
	/* Numbers are right-aligned in columns, but not here. */
	for (i = start; i < p->out->len && p->out->base[i] == ' '; i++)
		;
	memmove(p->out->base + start, p->out->base + i, p->out->len - i);
	p->out->len -= i - start;
	rt_text_char(p->out, '\n');
}

static struct value *make_values(struct printing *p, struct rt_line **lines, size_t n,
				 size_t *count)
{
	struct value *values = calloc(n, sizeof(*values));
	size_t i, m;

	*count = 0;
	for (i = 0; values && i < n; i++) {
		struct value *v = *count ? &values[*count - 1] : NULL;

		if (!v || compare_ids(&lines[v->from], &lines[i], p)) {
			v = &values[(*count)++];
			v->from = i;
			v->sum = rt_arena_alloc(&p->t->arena,
						sizeof(*v->sum) +
							p->t->members * sizeof(struct rt_stat));
			if (!v->sum) {
				free(values);
				return NULL;
			}
			v->sum->where = lines[i]->where;
		}
		v->count++;
		for (m = 0; m < p->t->members; m++) {
			v->sum->stat[m].period += lines[i]->stat[m].period;
			v->sum->stat[m].count += lines[i]->stat[m].count;
			v->sum->stat[m].system += lines[i]->stat[m].system;
			v->sum->stat[m].user += lines[i]->stat[m].user;
		}
	}
	return values;
}

/* Say that everything below a value is below --percent-limit. */
static void put_nothing(struct printing *p, size_t level)
{
	const struct rt_columns *cols = &p->t->r->columns;
	size_t i, width = 2;

	for (i = 0; i < cols->shown_count; i++)
		if (shown(p, i)->kind != RT_COL_KEY)
			width += p->widths[i] + 2;
	rt_text_fill(p->out, ' ', (int)((p->level_count + level) * INDENT + width));
	rt_text_printf(p->out, "no entry >= %.2f%%\n", p->t->r->opt->percent_limit);
}

static void put_level(struct printing *p, struct rt_line **lines, size_t n, size_t level)
{
	const struct rt_report_options *opt = p->t->r->opt;
	struct value *values;
	size_t count, i;

	p->level = level;
	qsort_r(lines, n, sizeof(*lines), compare_ids, p);
	values = make_values(p, lines, n, &count);
	if (!values) {
		p->failed = true;
		return;
	}
	qsort_r(values, count, sizeof(*values), compare_values, p);
	for (i = 0; i < count; i++) {
		const struct value *v = &values[i];
		size_t start;

		if ((float)rt_line_percent(p->t, v->sum) < (float)opt->percent_limit)
			continue;
		put_value(p, v->sum, level);
		if (level + 1 < p->level_count) {
			start = p->out->len;
			put_level(p, lines + v->from, v->count, level + 1);
			p->level = level;
			if (p->out->len == start)
				put_nothing(p, level);
		} else if (opt->stacks && rt_graph_shows(p->t, lines[v->from])) {
			rt_tree_make(&p->tree, p->t, lines[v->from]);
			rt_graph_print(&p->tree, p->t, lines[v->from], p->out);
		}
	}
	free(values);
}

static void put_heading(struct printing *p)
{
	const struct rt_columns *cols = &p->t->r->columns;
	int indent = (int)(p->level_count - 1) * INDENT;
	size_t i, start, width;
	bool first = true;

	rt_text_lit(p->out, "# ");
	rt_text_fill(p->out, ' ', indent);
	for (i = 0; i < cols->shown_count; i++)
		if (shown(p, i)->kind != RT_COL_KEY) {
			rt_text_str_width(p->out, rt_print_name(p->t, shown(p, i)),
					  (int)p->widths[i]);
			rt_text_lit(p->out, "  ");
		}
	start = p->out->len;
	for (i = 0; i < p->level_count; i++) {
		if (i)
			rt_text_lit(p->out, " / ");
		rt_text_str(p->out, key_of(p, i)->header + strspn(key_of(p, i)->header, " "));
	}
	width = p->out->len - start;
	for (i = 0; i < p->level_count; i++)
		if (width < i * INDENT + p->widths[p->levels[i]])
			width = i * INDENT + p->widths[p->levels[i]];
	rt_text_lit(p->out, "\n# ");
	rt_text_fill(p->out, '.', indent);
	for (i = 0; i < cols->shown_count; i++)
		if (shown(p, i)->kind != RT_COL_KEY) {
			rt_text_fill(p->out, '.', (int)p->widths[i] + (first ? 0 : 2));
			first = false;
		}
	rt_text_lit(p->out, "  ");
	rt_text_fill(p->out, '.', (int)width);
	rt_text_lit(p->out, "\n#\n");
}

int rt_hierarchy_print(struct rt_report_table *t, struct rt_text *out)
{
	unsigned int widths[RT_COLUMNS_MAX];
	struct printing p = { .t = t, .widths = widths, .out = out };
	struct rt_line **lines = calloc(t->count + 1, sizeof(*lines));
	size_t n = 0, i;
	uint32_t k;

	if (!lines)
		return -ENOMEM;
	rt_print_widths(t, widths);
	for (i = 0; i < t->r->columns.shown_count; i++)
		if (shown(&p, i)->kind == RT_COL_KEY && !rt_print_skips(t, shown(&p, i)))
			p.levels[p.level_count++] = i;
	for (k = 0; k < t->count; k++)
		if (!t->lines[k]->filtered)
			lines[n++] = t->lines[k];
	if (p.level_count) {
		if (!t->r->opt->quiet)
			put_heading(&p);
		if (n)
			put_level(&p, lines, n, 0);
	}
	rt_tree_free(&p.tree);
	free(lines);
	return p.failed || p.tree.failed ? -ENOMEM : 0;
}
