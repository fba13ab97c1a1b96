// SPDX-License-Identifier: GPL-2.0
#include "report/graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/key_text.h"
#include "symbols/lines/srcline.h"

#define MARGIN	    12
#define STEP	    10
#define SRCLINE_MAX 4096
#define DEPTH_MAX   4096 /* branches inside each other */

struct drawing {
	struct rt_tree *tree;
	struct rt_report_table *t;
	const struct rt_graph_options *opt;
	struct rt_text *out;
	int margin;
};

/* perf's graphs give percentages of all samples even if the lines do not. */
uint64_t rt_graph_total(const struct rt_report_table *t)
{
	return t->r->opt->compat ? t->all : t->total[0];
}

void rt_graph_name(struct rt_report *r, const struct rt_tree_node *n, struct rt_text *out)
{
	const struct rt_profile_func *f = rt_profile_func(r->profile, n->func);
	char line[SRCLINE_MAX];

	if (!f->symbol) {
		rt_text_printf(out, "%#" PRIx64, n->ip);
		return;
	}
	rt_key_put_all(r, f->name, out);
	if (r->opt->graph.lines && f->object &&
	    rt_object_srcline_text(f->object, f->symbol, n->address, r->opt->full_source_path, line,
				   sizeof(line)) > 0) {
		size_t len = strlen(f->name);

		/* Without a source line, the text is "symbol+12". */
		rt_text_char(out, ' ');
		rt_key_put_all(r,
			       !strncmp(line, f->name, len) && line[len] == '+' ? line + len : line,
			       out);
	}
	if (f->inlined)
		rt_text_lit(out, " (inlined)");
}

static void put_name(const struct drawing *d, const struct rt_tree_node *n)
{
	rt_graph_name(d->t->r, n, d->out);
}

void rt_graph_value(const struct rt_graph_options *opt, uint64_t hit, uint64_t count,
		    uint64_t total, struct rt_text *out)
{
	switch (opt->value) {
	case RT_GRAPH_PERIOD:
		rt_text_u64(out, hit);
		break;
	case RT_GRAPH_COUNT:
		rt_text_u64(out, count);
		break;
	default:
		rt_text_printf(out, "%.2f%%", total ? (double)hit * 100.0 / (double)total : 0.0);
	}
}

static void put_value(const struct drawing *d, uint64_t hit, uint64_t count, uint64_t total)
{
	rt_graph_value(d->opt, hit, count, total, d->out);
}

static void put_margin(const struct drawing *d)
{
	rt_text_fill(d->out, ' ', MARGIN + d->margin);
}

/* perf keeps the bars in 32 bits and shifts beyond them. */
static bool has_bar(uint32_t mask, int i)
{
	return mask & 1u << (i & 31);
}

static void put_bars(const struct drawing *d, int depth, uint32_t mask)
{
	int i;

	put_margin(d);
	for (i = 0; i < depth; i++) {
		rt_text_char(d->out, has_bar(mask, i) ? '|' : ' ');
		rt_text_fill(d->out, ' ', STEP);
	}
	rt_text_char(d->out, '\n');
}

/* Begin a line of the graph: bars, and in front of the first function of a branch its value. */
static void put_line_start(const struct drawing *d, int depth, uint32_t mask, bool first,
			   uint64_t hit, uint64_t count, uint64_t total)
{
	int i;

	put_margin(d);
	for (i = 0; i < depth; i++) {
		rt_text_char(d->out, has_bar(mask, i) ? '|' : ' ');
		if (first && i == depth - 1) {
			rt_text_lit(d->out, "--");
			put_value(d, hit, count, total);
			rt_text_lit(d->out, "--");
		} else {
			rt_text_fill(d->out, ' ', STEP);
		}
	}
}

static uint64_t least_in(const struct rt_report_table *t)
{
	return (uint64_t)((double)t->graph_total * (t->r->opt->graph.min_percent / 100));
}

uint64_t rt_graph_least(const struct rt_report_table *t, const struct rt_tree_node *n)
{
	const struct rt_graph_options *opt = &t->r->opt->graph;

	if (opt->style != RT_GRAPH_RELATIVE)
		return least_in(t);
	return (uint64_t)ceil((double)(n->all_hit - n->hit) * opt->min_percent / 100.0);
}

/* Print the calls below a node. */
static void put_calls(struct drawing *d, uint32_t node, uint64_t total, int depth, uint32_t mask)
{
	struct rt_tree *tree = d->tree;
	bool relative = d->opt->style == RT_GRAPH_RELATIVE;
	uint64_t remaining = total, all_count = 0;
	uint32_t new_mask = mask, end, k;
	size_t from, n, i;

	if (depth > DEPTH_MAX)
		return;
	n = rt_tree_children(tree, d->t->r, node, rt_graph_least(d->t, &tree->nodes[node]), &from);
	for (i = 0; i < n; i++) {
		uint32_t child = tree->sorted[from + i];
		const struct rt_tree_node *c = &tree->nodes[child];
		bool first = true;

		remaining -= c->all_hit;
		all_count += c->all_count;
		if (i + 1 == n && (!relative || !remaining))
			new_mask &= ~(1u << ((depth - 1) & 31));
		put_bars(d, depth, mask);
		end = rt_tree_branch_end(tree, child);
		for (k = child;; k = tree->nodes[k].child) {
			put_line_start(d, depth, new_mask, first, c->all_hit, c->all_count, total);
			put_name(d, &tree->nodes[k]);
			rt_text_char(d->out, '\n');
			first = false;
			if (k == end)
				break;
		}
		put_calls(d, end,
			  relative ? tree->nodes[end].all_hit - tree->nodes[end].hit : total,
			  depth + 1, new_mask | 1u << (depth & 31));
		if (i + 1 == d->opt->print_limit)
			break;
	}
	tree->sorted_count = from;
	if (relative && remaining && remaining != total) {
		uint64_t count = 0;

		if (d->opt->value == RT_GRAPH_COUNT) {
			const struct rt_tree_node *p = &tree->nodes[node];

			count = p->all_count - p->count - all_count;
			if (!count)
				return;
		}
		new_mask &= ~(1u << ((depth - 1) & 31));
		put_line_start(d, depth, new_mask, true, remaining, count, total);
		rt_text_lit(d->out, "[...]\n");
	}
}

static void put_graph(struct drawing *d, const struct rt_line *l)
{
	struct rt_tree *tree = d->tree;
	uint64_t parent = rt_line_all(d->t, l)->period, total = rt_graph_total(d->t);
	size_t start = d->out->len, from, n;
	uint32_t root = 0, end, k, only;
	unsigned int printed = 0;
	bool skip = d->t->r->columns.symbol_first;

	n = rt_tree_children(tree, d->t->r, 0, rt_graph_least(d->t, &tree->nodes[0]), &from);
	only = n ? tree->sorted[from] : 0;
	tree->sorted_count = from;
	/* A single branch with all hits is printed without its value. */
	if (n == 1 && tree->nodes[only].all_hit == parent) {
		bool begun = false;

		end = rt_tree_branch_end(tree, only);
		for (k = only;; k = tree->nodes[k].child) {
			if (!skip || k != only) {
				put_margin(d);
				if (!begun) {
					rt_text_lit(d->out, "|\n");
					put_margin(d);
					rt_text_lit(d->out, "---");
					d->margin += 3;
					begun = true;
				}
				put_name(d, &tree->nodes[k]);
				rt_text_char(d->out, '\n');
				if (++printed == d->opt->print_limit)
					break;
			}
			if (k == end)
				break;
		}
		root = end;
	}
	if (d->opt->style == RT_GRAPH_RELATIVE)
		total = parent;
	put_calls(d, root, total, 1, 1);
	if (d->out->len > start)
		rt_text_char(d->out, '\n');
}

/* ---- flat and folded --------------------------------------------------------------------- */

/* The nodes where stacks end, greatest first. */
static size_t list_ends(struct drawing *d)
{
	struct rt_tree *tree = d->tree;
	uint64_t least = least_in(d->t);
	size_t n = 0;
	uint32_t i;

	if (tree->count > tree->sorted_room) {
		void *sorted = realloc(tree->sorted, tree->count * sizeof(*tree->sorted));

		if (!sorted)
			return 0;
		tree->sorted = sorted;
		tree->sorted_room = tree->count;
	}
	for (i = 1; i < tree->count; i++)
		if (tree->nodes[i].hit && tree->nodes[i].hit >= least)
			tree->sorted[n++] = i;
	return n;
}

static int compare_ends(const void *one, const void *two, void *arg)
{
	const struct rt_tree *tree = arg;
	const struct rt_tree_node *a = &tree->nodes[*(const uint32_t *)one];
	const struct rt_tree_node *b = &tree->nodes[*(const uint32_t *)two];

	if (a->hit != b->hit)
		return a->hit > b->hit ? -1 : 1;
	return (a > b) - (a < b);
}

/* Print the functions from the root to a node. */
static void put_path(struct drawing *d, uint32_t node, char separator)
{
	uint32_t parent = d->tree->nodes[node].parent;

	if (parent)
		put_path(d, parent, separator);
	if (!separator) {
		rt_text_fill(d->out, ' ', 16);
		put_name(d, &d->tree->nodes[node]);
		rt_text_char(d->out, '\n');
		return;
	}
	if (parent)
		rt_text_char(d->out, separator);
	put_name(d, &d->tree->nodes[node]);
}

static void put_list(struct drawing *d)
{
	bool folded = d->opt->style == RT_GRAPH_FOLDED;
	char separator = d->t->r->opt->separator;
	struct rt_tree *tree = d->tree;
	size_t n = list_ends(d), i;

	if (n)
		qsort_r(tree->sorted, n, sizeof(*tree->sorted), compare_ends, tree);
	for (i = 0; i < n; i++) {
		const struct rt_tree_node *end = &tree->nodes[tree->sorted[i]];

		if (folded) {
			put_value(d, end->hit, end->count, rt_graph_total(d->t));
			rt_text_char(d->out, ' ');
			put_path(d, tree->sorted[i], separator ? separator : ';');
		} else {
			rt_text_fill(d->out, ' ', 11);
			put_value(d, end->all_hit, end->all_count, rt_graph_total(d->t));
			rt_text_char(d->out, '\n');
			put_path(d, tree->sorted[i], 0);
		}
		rt_text_char(d->out, '\n');
		if (i + 1 == d->opt->print_limit)
			break;
	}
}

bool rt_graph_shows(const struct rt_report_table *t, const struct rt_line *l)
{
	switch (t->r->opt->graph.style) {
	case RT_GRAPH_NONE:
		return false;
	case RT_GRAPH_RELATIVE:
		return true;
	default:
		return rt_line_all(t, l)->period >= least_in(t);
	}
}

void rt_graph_print(struct rt_tree *tree, struct rt_report_table *t, const struct rt_line *l,
		    struct rt_text *out)
{
	struct drawing d = { .tree = tree, .t = t, .opt = &t->r->opt->graph, .out = out };

	switch (d.opt->style) {
	case RT_GRAPH_ABSOLUTE:
	case RT_GRAPH_RELATIVE:
		put_graph(&d, l);
		break;
	case RT_GRAPH_FLAT:
	case RT_GRAPH_FOLDED:
		put_list(&d);
		break;
	default:
		break;
	}
}
