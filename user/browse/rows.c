// SPDX-License-Identifier: GPL-2.0
#include "browse/rows.h"

#include <stdlib.h>
#include <string.h>

#include "report/graph.h"
#include "report/print.h"

#define DEPTH_MAX 1000 /* branches inside each other */
#define MARGIN	  6    /* of a call tree */
#define STEP	  3

void rt_rows_free(struct rt_rows *rows)
{
	rt_branches_free(&rows->branches);
	free(rows->list);
	memset(rows, 0, sizeof(*rows));
}

void rt_rows_set(struct rt_rows *rows, struct rt_report_table *table)
{
	rows->table = table;
	rows->count = 0;
	rt_branches_set(&rows->branches, table);
	rows->failed |= rows->branches.failed;
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

void rt_rows_list(struct rt_rows *rows, const char *only, const unsigned int *widths)
{
	struct rt_report_table *t = rows->table;
	struct rt_text text;
	uint32_t i;

	rows->count = 0;
	rt_text_init(&text);
	for (i = 0; t && i < t->count; i++) {
		const struct rt_branch *b = rt_branches_at(&rows->branches, i);
		struct rt_row row = { .line = i };
		struct lent old;

		if (!rt_print_wants(t, t->lines[i]))
			continue;
		if (*only) {
			rt_text_reset(&text);
			rt_row_text(rows, &row, widths, &text);
			rt_text_char(&text, '\0');
			if (text.failed || !strcasestr(text.base, only))
				continue;
		}
		add_row(rows, &row);
		if (!b)
			continue;
		old = lend(rows, b);
		add_calls(rows, i, b, 0, 0);
		take_back(rows, &old);
	}
	rt_text_free(&text);
}

/* ---- one row ------------------------------------------------------------------------------ */

bool rt_row_has_more(struct rt_rows *rows, const struct rt_row *row)
{
	struct rt_report_table *t = rows->table;
	const struct rt_branch *b = rt_branches_at(&rows->branches, row->line);
	struct lent old;
	size_t from, n;
	bool end;

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

void rt_row_open(struct rt_rows *rows, const struct rt_row *row, bool open, bool all)
{
	struct rt_branch *b = rt_branches_at(&rows->branches, row->line);
	uint32_t node, i;

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
