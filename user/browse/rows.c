// SPDX-License-Identifier: GPL-2.0
#include "browse/rows.h"

#include <stdlib.h>
#include <string.h>

#include "report/graph.h"
#include "report/hierarchy.h"
#include "report/print.h"

#define DEPTH_MAX 1000 /* branches inside each other */
#define MARGIN	  6    /* of a call tree */
#define STEP	  3

void rt_rows_free(struct rt_rows *rows)
{
	rt_branches_free(&rows->branches);
	rt_levels_free(&rows->levels);
	free(rows->list);
	memset(rows, 0, sizeof(*rows));
}

void rt_rows_set(struct rt_rows *rows, struct rt_report_table *table)
{
	rows->table = table;
	rows->count = 0;
	rt_branches_set(&rows->branches, table);
	rt_levels_set(&rows->levels, table);
	rows->failed |= rows->branches.failed || rows->levels.failed;
}

void rt_rows_close(struct rt_rows *rows)
{
	rt_branches_forget(&rows->branches);
	rt_levels_forget(&rows->levels);
}

/* Whether lines of the next level are below a line. */
static bool is_inner(const struct rt_report_table *t, uint32_t line)
{
	return t->lines[line]->level + 1 < t->levels;
}

/* ---- trees ------------------------------------------------------------------------------- */

/* Lend the nodes of a branch to the tree that the functions of report/ work with. */
struct lent {
	struct rt_tree_node *nodes;
	uint32_t count, room;
};

static struct lent lend(struct rt_rows *rows, const struct rt_branch *b)
{
	struct lent old = { rows->branches.tree.nodes, rows->branches.tree.count,
			    rows->branches.tree.room };

	rows->branches.tree.nodes = b->nodes;
	rows->branches.tree.count = rows->branches.tree.room = b->count;
	rows->branches.tree.sorted_count = 0;
	return old;
}

static void take_back(struct rt_rows *rows, const struct lent *old)
{
	rows->branches.tree.nodes = old->nodes;
	rows->branches.tree.count = old->count;
	rows->branches.tree.room = old->room;
}

/* The children of a node that the options allow to be shown. */
static size_t list_children(struct rt_rows *rows, uint32_t node, size_t *from)
{
	unsigned int limit = rows->table->r->opt->graph.print_limit;
	struct rt_tree *tree = &rows->branches.tree;
	size_t n = rt_tree_children(tree, rows->table->r, node,
				    rt_graph_least(rows->table, &tree->nodes[node]), from);

	return limit && n > limit ? limit : n;
}

/* ---- the list ----------------------------------------------------------------------------- */

static void add_row(struct rt_rows *rows, const struct rt_row *row)
{
	if (rows->count == rows->room) {
		uint32_t room = rows->room ? 2 * rows->room : 256;
		void *list = realloc(rows->list, room * sizeof(*rows->list));

		if (!list) {
			rows->failed = true;
			return;
		}
		rows->list = list;
		rows->room = room;
	}
	rows->list[rows->count++] = *row;
}

static void add_calls(struct rt_rows *rows, uint32_t line, const struct rt_branch *b, uint32_t node,
		      unsigned int depth)
{
	struct rt_tree *tree = &rows->branches.tree;
	uint64_t all = rt_line_all(rows->table, rows->table->lines[line])->period;
	size_t from, n, i;

	if (!b->open[node] || depth > DEPTH_MAX)
		return;
	n = list_children(rows, node, &from);
	for (i = 0; i < n; i++) {
		uint32_t first = tree->sorted[from + i], end = rt_tree_branch_end(tree, first), k;
		/* Like the text: a single branch with everything has no value. */
		bool only = !node && n == 1 && tree->nodes[first].all_hit == all;
		struct rt_row row = { line, first, first, (uint16_t)depth, !only };

		for (k = first;; k = tree->nodes[k].child) {
			row.node = k;
			if (!(only && k == first && rows->table->r->columns.symbol_first))
				add_row(rows, &row);
			row.value = false;
			if (k == end)
				break;
		}
		add_calls(rows, line, b, end, depth + 1);
	}
	tree->sorted_count = from;
}

static bool has_text(struct rt_rows *rows, uint32_t line, const unsigned int *widths,
		     const char *only, struct rt_text *text)
{
	struct rt_row row = { .line = line };

	rt_text_reset(text);
	rt_row_text(rows, &row, widths, text);
	rt_text_char(text, '\0');
	return !text->failed && strcasestr(text->base, only);
}

/* Which lines to list if only those with a text are wanted; of a hierarchy also their parents. */
static bool *choose_lines(struct rt_rows *rows, const char *only, const unsigned int *widths)
{
	struct rt_report_table *t = rows->table;
	bool *chosen = calloc((size_t)t->count + 1, sizeof(*chosen));
	const struct rt_line *up;
	struct rt_text text;
	uint32_t i;

	rt_text_init(&text);
	for (i = 0; chosen && i < t->count; i++) {
		if (!rt_print_wants(t, t->lines[i]) || !has_text(rows, i, widths, only, &text))
			continue;
		chosen[i] = true;
		for (up = t->levels ? t->lines[i]->parent : NULL; up; up = up->parent)
			chosen[up->number] = true;
	}
	rt_text_free(&text);
	rows->failed |= !chosen;
	return chosen;
}

void rt_rows_list(struct rt_rows *rows, const char *only, const unsigned int *widths)
{
	struct rt_report_table *t = rows->table;
	bool *chosen = t && *only ? choose_lines(rows, only, widths) : NULL;
	uint32_t i;

	rows->count = 0;
	for (i = 0; t && i < t->count; i++) {
		const struct rt_branch *b = rt_branches_at(&rows->branches, i);
		struct rt_row row = { .line = i };
		bool wanted = rt_print_wants(t, t->lines[i]) && (!chosen || chosen[i]);
		struct lent old;

		if (wanted)
			add_row(rows, &row);
		/* What has the text is shown, whatever is closed. */
		if (is_inner(t, i) &&
		    (!wanted || (!chosen && !rt_levels_is_open(&rows->levels, i))))
			i = rt_hierarchy_end(t, i) - 1;
		if (!wanted || !b)
			continue;
		old = lend(rows, b);
		add_calls(rows, row.line, b, 0, 0);
		take_back(rows, &old);
	}
	free(chosen);
}

/* ---- one row ------------------------------------------------------------------------------ */

bool rt_row_has_more(struct rt_rows *rows, const struct rt_row *row)
{
	struct rt_report_table *t = rows->table;
	const struct rt_branch *b = rt_branches_at(&rows->branches, row->line);
	struct lent old;
	size_t from, n;
	bool end;

	if (!row->node && is_inner(t, row->line))
		return rt_hierarchy_has_more(t, row->line);
	if (!row->node)
		return t->r->opt->stacks && t->lines[row->line]->shares &&
		       rt_graph_shows(t, t->lines[row->line]);
	if (!b)
		return false;
	old = lend(rows, b);
	end = rt_tree_branch_end(&rows->branches.tree, row->run) == row->node;
	n = end ? list_children(rows, row->node, &from) : 0;
	take_back(rows, &old);
	return n;
}

/* The node that opens and closes with a row: the end of its branch. */
static uint32_t hinge(struct rt_rows *rows, const struct rt_branch *b, const struct rt_row *row)
{
	struct lent old = lend(rows, b);
	uint32_t node = row->node ? rt_tree_branch_end(&rows->branches.tree, row->run) : 0;

	take_back(rows, &old);
	return node;
}

bool rt_row_is_open(struct rt_rows *rows, const struct rt_row *row)
{
	const struct rt_branch *b = rt_branches_at(&rows->branches, row->line);

	if (!row->node && is_inner(rows->table, row->line))
		return rt_levels_is_open(&rows->levels, row->line);
	return b && b->open[hinge(rows, b, row)];
}

uint32_t rt_row_func(const struct rt_rows *rows, const struct rt_row *row)
{
	const struct rt_branch *b = rt_branches_at(&rows->branches, row->line);

	return row->node && b ? b->nodes[row->node].func :
				rows->table->lines[row->line]->where.func;
}

static bool is_below(const struct rt_branch *b, uint32_t node, uint32_t top)
{
	while (node > top)
		node = b->nodes[node].parent;
	return node == top;
}

/* The same for a line above others. */
static void open_levels(struct rt_rows *rows, uint32_t line, bool open, bool all)
{
	uint32_t i, end = all ? rt_hierarchy_end(rows->table, line) : line + 1;

	for (i = line; i < end; i++) {
		struct rt_row row = { .line = i };

		if (is_inner(rows->table, i))
			rt_levels_open(&rows->levels, rows->table, i, open);
		else
			rt_row_open(rows, &row, open, true);
	}
}

void rt_row_open(struct rt_rows *rows, const struct rt_row *row, bool open, bool all)
{
	struct rt_branch *b = rt_branches_at(&rows->branches, row->line);
	uint32_t node, i;

	if (!row->node && is_inner(rows->table, row->line)) {
		open_levels(rows, row->line, open, all);
		return;
	}
	if (!b && !row->node && open && rt_row_has_more(rows, row))
		b = rt_branches_add(&rows->branches, row->line);
	if (!b)
		return;
	node = hinge(rows, b, row);
	b->open[node] = open;
	for (i = node + 1; all && i < b->count; i++)
		if (!node || is_below(b, i, node))
			b->open[i] = open;
}

void rt_row_text(struct rt_rows *rows, const struct rt_row *row, const unsigned int *widths,
		 struct rt_text *out)
{
	struct rt_report_table *t = rows->table;
	const struct rt_line *l = t->lines[row->line];
	const struct rt_graph_options *opt = &t->r->opt->graph;
	const struct rt_branch *b;
	const struct rt_tree_node *n;
	uint64_t total = rt_graph_total(t);

	if (!row->node) {
		if (t->levels)
			rt_hierarchy_columns(t, l, widths, out);
		else
			rt_print_columns(t, l, widths, out);
		return;
	}
	b = rt_branches_at(&rows->branches, row->line);
	n = &b->nodes[row->node];
	if (opt->style == RT_GRAPH_RELATIVE) {
		uint32_t up = b->nodes[row->run].parent;

		total = up ? b->nodes[up].all_hit - b->nodes[up].hit : rt_line_all(t, l)->period;
	}
	rt_text_fill(out, ' ', MARGIN + row->depth * STEP);
	if (row->value) {
		rt_text_lit(out, "--");
		rt_graph_value(opt, n->all_hit, n->all_count, total, out);
		rt_text_lit(out, "--");
	} else if (row->node != row->run) {
		rt_text_lit(out, "  ");
	}
	rt_graph_name(t->r, n, out);
}
