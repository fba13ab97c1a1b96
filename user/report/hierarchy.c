// SPDX-License-Identifier: GPL-2.0
#include "report/hierarchy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/graph.h"
#include "report/print.h"

#define INDENT 3

/* The lines of a table at work. */
struct making {
	struct rt_report_table *t;
	struct rt_line **made;
	uint32_t count, room;
	size_t levels[RT_COLUMNS_MAX]; /* the shown columns that are keys */
	size_t level_count;
	size_t level; /* for the sorting functions */
	bool failed;
};

static const struct rt_column *shown(const struct rt_report_table *t, size_t i)
{
	return &t->r->columns.list[t->r->columns.shown[i]];
}

/* The shown columns that are keys: how many there are. */
static size_t find_levels(const struct rt_report_table *t, size_t *levels)
{
	size_t n = 0, i;

	for (i = 0; i < t->r->columns.shown_count; i++)
		if (shown(t, i)->kind == RT_COL_KEY && !rt_print_skips(t, shown(t, i)))
			levels[n++] = i;
	return n;
}

static const struct rt_key *key_of(const struct making *m)
{
	return shown(m->t, m->levels[m->level])->key;
}

/* ---- lines --------------------------------------------------------------------------------- */

static int compare_ids(const void *one, const void *two, void *arg)
{
	const struct making *m = arg;
	const struct rt_key *key = key_of(m);
	uint64_t a = key->type->id(m->t->r, key, &(*(struct rt_line *const *)one)->where);
	uint64_t b = key->type->id(m->t->r, key, &(*(struct rt_line *const *)two)->where);

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
	const struct making *m = arg;
	const struct rt_key *key = key_of(m);
	size_t i;
	int ret;

	for (i = 0; i < m->t->members; i++)
		if (a->sum->stat[i].period != b->sum->stat[i].period)
			return a->sum->stat[i].period > b->sum->stat[i].period ? -1 : 1;
	ret = key->type->order(m->t->r, key, &a->sum->where, &b->sum->where);
	if (ret)
		return ret;
	return (a->sum->where.address > b->sum->where.address) -
	       (a->sum->where.address < b->sum->where.address);
}

/* A line for a value of the level at work, below PARENT; LINE is the first that has the value. */
static struct rt_line *new_sum(struct making *m, struct rt_line *parent, const struct rt_line *line)
{
	const struct rt_key *key = key_of(m);
	struct rt_line *sum =
		rt_arena_alloc(&m->t->arena, sizeof(*sum) + m->t->members * sizeof(struct rt_stat));

	if (!sum)
		return NULL;
	sum->where = line->where;
	sum->parent = parent;
	sum->level = (unsigned int)m->level;
	sum->rank =
		rt_hash_mix(parent ? parent->rank : 1, key->type->id(m->t->r, key, &line->where));
	/* On the last level each line is a value. */
	if (m->level + 1 == m->level_count) {
		sum->shares = line->shares;
		sum->last_share = line->last_share;
		sum->max_depth = line->max_depth;
	}
	return sum;
}

static struct value *make_values(struct making *m, struct rt_line *parent, struct rt_line **lines,
				 size_t n, size_t *count)
{
	struct value *values = calloc(n, sizeof(*values));
	size_t i, k;

	*count = 0;
	for (i = 0; values && i < n; i++) {
		struct value *v = *count ? &values[*count - 1] : NULL;

		if (!v || compare_ids(&lines[v->from], &lines[i], m)) {
			v = &values[(*count)++];
			v->from = i;
			v->sum = new_sum(m, parent, lines[i]);
			if (!v->sum) {
				free(values);
				return NULL;
			}
		}
		v->count++;
		for (k = 0; k < m->t->members; k++) {
			v->sum->stat[k].period += lines[i]->stat[k].period;
			v->sum->stat[k].count += lines[i]->stat[k].count;
			v->sum->stat[k].system += lines[i]->stat[k].system;
			v->sum->stat[k].user += lines[i]->stat[k].user;
		}
	}
	return values;
}

static void add_made(struct making *m, struct rt_line *sum)
{
	if (m->count == m->room) {
		uint32_t room = m->room ? 2 * m->room : 256;
		void *made = realloc(m->made, room * sizeof(*m->made));

		if (!made) {
			m->failed = true;
			return;
		}
		m->made = made;
		m->room = room;
	}
	sum->number = m->count;
	m->made[m->count++] = sum;
}

static void make_level(struct making *m, struct rt_line *parent, struct rt_line **lines, size_t n,
		       size_t level)
{
	struct value *values;
	size_t count, i;

	m->level = level;
	qsort_r(lines, n, sizeof(*lines), compare_ids, m);
	values = make_values(m, parent, lines, n, &count);
	if (!values) {
		m->failed = true;
		return;
	}
	qsort_r(values, count, sizeof(*values), compare_values, m);
	for (i = 0; i < count && !m->failed; i++) {
		add_made(m, values[i].sum);
		if (level + 1 < m->level_count)
			make_level(m, values[i].sum, lines + values[i].from, values[i].count,
				   level + 1);
		m->level = level;
	}
	free(values);
}

int rt_hierarchy_make(struct rt_report_table *t)
{
	struct making m = { .t = t };
	uint32_t i, n = 0;

	m.level_count = find_levels(t, m.levels);
	for (i = 0; i < t->count; i++)
		if (!t->lines[i]->filtered)
			t->lines[n++] = t->lines[i];
	if (n && m.level_count)
		make_level(&m, NULL, t->lines, n, 0);
	if (m.failed) {
		free(m.made);
		return -ENOMEM;
	}
	free(t->lines);
	t->lines = m.made;
	t->count = m.count;
	t->room = m.room;
	t->levels = (uint32_t)m.level_count;
	return 0;
}

uint32_t rt_hierarchy_end(const struct rt_report_table *t, uint32_t line)
{
	uint32_t end = line + 1;

	while (end < t->count && t->lines[end]->level > t->lines[line]->level)
		end++;
	return end;
}

/* ---- text ---------------------------------------------------------------------------------- */

const char *rt_hierarchy_key(const struct rt_report_table *t, unsigned int level)
{
	size_t levels[RT_COLUMNS_MAX];

	return level < find_levels(t, levels) ? shown(t, levels[level])->key->type->name : "";
}

unsigned int rt_hierarchy_indent(const struct rt_line *l)
{
	return l->level * INDENT;
}

void rt_hierarchy_columns(const struct rt_report_table *t, const struct rt_line *l,
			  const unsigned int *widths, struct rt_text *out)
{
	size_t levels[RT_COLUMNS_MAX], count = find_levels(t, levels), i, start;
	const struct rt_key *key = shown(t, levels[l->level])->key;

	rt_text_fill(out, ' ', (int)rt_hierarchy_indent(l));
	for (i = 0; i < t->r->columns.shown_count; i++) {
		if (shown(t, i)->kind == RT_COL_KEY)
			continue;
		rt_text_lit(out, "  ");
		start = out->len;
		rt_print_number(t, l, shown(t, i)->kind, widths[i], out);
		if (out->len - start < widths[i])
			rt_text_fill(out, ' ', (int)(widths[i] - (out->len - start)));
	}
	rt_text_fill(out, ' ', (int)(count - 1) * INDENT);
	rt_text_lit(out, "  ");
	start = out->len;
	key->type->text(t->r, key, &l->where, widths[levels[l->level]], out);
	/* Numbers are right-aligned in columns, but not here. */
	for (i = start; i < out->len && out->base[i] == ' '; i++)
		;
	memmove(out->base + start, out->base + i, out->len - i);
	out->len -= i - start;
}

void rt_hierarchy_names(const struct rt_report_table *t, const unsigned int *widths,
			struct rt_text *out)
{
	size_t levels[RT_COLUMNS_MAX], count = find_levels(t, levels), i;

	rt_text_fill(out, ' ', count ? (int)(count - 1) * INDENT : 0);
	for (i = 0; i < t->r->columns.shown_count; i++)
		if (shown(t, i)->kind != RT_COL_KEY) {
			rt_text_str_width(out, rt_print_name(t, shown(t, i)), (int)widths[i]);
			rt_text_lit(out, "  ");
		}
	for (i = 0; i < count; i++) {
		const char *header = shown(t, levels[i])->key->header;

		if (i)
			rt_text_lit(out, " / ");
		rt_text_str(out, header + strspn(header, " "));
	}
}

/* The columns of numbers, with the blanks between them. */
static size_t numbers_width(const struct rt_report_table *t, const unsigned int *widths)
{
	size_t i, width = 0;

	for (i = 0; i < t->r->columns.shown_count; i++)
		if (shown(t, i)->kind != RT_COL_KEY)
			width += widths[i] + 2;
	return width;
}

static void put_heading(const struct rt_report_table *t, const unsigned int *widths,
			struct rt_text *out)
{
	size_t levels[RT_COLUMNS_MAX], count = find_levels(t, levels), i, width, start = out->len;
	size_t numbers = numbers_width(t, widths), indent = (count - 1) * INDENT;

	rt_text_lit(out, "# ");
	rt_hierarchy_names(t, widths, out);
	width = out->len - start - 2 - indent - numbers;
	for (i = 0; i < count; i++)
		if (width < i * INDENT + widths[levels[i]])
			width = i * INDENT + widths[levels[i]];
	rt_text_lit(out, "\n# ");
	rt_text_fill(out, '.', (int)(indent + (numbers ? numbers - 2 : 0)));
	rt_text_lit(out, "  ");
	rt_text_fill(out, '.', (int)width);
	rt_text_lit(out, "\n#\n");
}

/* Say that everything below a value is below --percent-limit. */
static void put_nothing(const struct rt_report_table *t, const struct rt_line *l,
			const unsigned int *widths, struct rt_text *out)
{
	rt_text_fill(out, ' ',
		     (int)((t->levels + l->level) * INDENT + numbers_width(t, widths) + 2));
	rt_text_printf(out, "no entry >= %.2f%%\n", t->r->opt->percent_limit);
}

bool rt_hierarchy_has_more(const struct rt_report_table *t, uint32_t line)
{
	uint32_t i, end = rt_hierarchy_end(t, line);

	for (i = line + 1; i < end; i++)
		if (t->lines[i]->parent == t->lines[line] && rt_print_wants(t, t->lines[i]))
			return true;
	return false;
}

int rt_hierarchy_print(struct rt_report_table *t, struct rt_text *out)
{
	unsigned int widths[RT_COLUMNS_MAX];
	struct rt_tree tree = { 0 };
	uint32_t i;
	int ret;

	rt_print_widths(t, widths);
	ret = rt_hierarchy_make(t);
	if (ret || !t->levels)
		return ret;
	if (!t->r->opt->quiet)
		put_heading(t, widths, out);
	for (i = 0; i < t->count; i++) {
		struct rt_line *l = t->lines[i];

		if (!rt_print_wants(t, l)) {
			i = rt_hierarchy_end(t, i) - 1;
			continue;
		}
		rt_hierarchy_columns(t, l, widths, out);
		rt_text_char(out, '\n');
		if (l->level + 1 < t->levels) {
			if (!rt_hierarchy_has_more(t, i))
				put_nothing(t, l, widths, out);
		} else if (t->r->opt->stacks && rt_graph_shows(t, l)) {
			rt_tree_make(&tree, t, l);
			if (tree.count)
				rt_graph_print(&tree, t, l, out);
		}
	}
	rt_tree_free(&tree);
	return tree.failed ? -ENOMEM : 0;
}
