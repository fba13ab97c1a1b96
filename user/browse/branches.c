// SPDX-License-Identifier: GPL-2.0
#include "browse/branches.h"

#include <stdlib.h>
#include <string.h>

static void free_branch(struct rt_branch *b)
{
	free(b->nodes);
	free(b->open);
}

void rt_branches_forget(struct rt_branches *bs)
{
	uint32_t i;

	for (i = 0; i < bs->count; i++)
		free_branch(&bs->list[i]);
	bs->count = 0;
	if (bs->of && bs->table)
		memset(bs->of, 0, bs->table->count * sizeof(*bs->of));
}

void rt_branches_free(struct rt_branches *bs)
{
	rt_branches_forget(bs);
	free(bs->list);
	free(bs->of);
	rt_tree_free(&bs->tree);
	memset(bs, 0, sizeof(*bs));
}

/* Make the tree of a line, and copy it; false if there is no memory. */
static bool grow_branch(struct rt_branches *bs, const struct rt_line *l, struct rt_branch *b)
{
	struct rt_tree *tree = &bs->tree;

	memset(b, 0, sizeof(*b));
	tree->failed = false;
	rt_tree_make(tree, bs->table, l);
	if (tree->failed)
		return false;
	b->nodes = malloc(tree->count * sizeof(*b->nodes));
	b->open = calloc(tree->count, sizeof(*b->open));
	if (!b->nodes || !b->open) {
		free_branch(b);
		return false;
	}
	memcpy(b->nodes, tree->nodes, tree->count * sizeof(*b->nodes));
	b->count = tree->count;
	return true;
}

/* Open in the new tree what was open in the old one, from a node of each on. */
static void carry_over(const struct rt_branch *old, uint32_t from, struct rt_branch *new,
		       uint32_t to, bool lines)
{
	uint32_t a, b;

	new->open[to] = old->open[from];
	/* Nodes inside a branch are not open themselves. */
	if (!old->open[from] && old->nodes[from].children != 1)
		return;
	for (a = old->nodes[from].child; a; a = old->nodes[a].sibling)
		for (b = new->nodes[to].child; b; b = new->nodes[b].sibling)
			if (old->nodes[a].same == new->nodes[b].same &&
			    (!lines || old->nodes[a].ip == new->nodes[b].ip)) {
				carry_over(old, a, new, b, lines);
				break;
			}
}

/* Make the branch again for its line in the new table. */
static bool renew(struct rt_branches *bs, struct rt_branch *b, const struct rt_line *l)
{
	struct rt_branch new;

	if (!l->shares || !grow_branch(bs, l, &new))
		return false;
	new.identity = b->identity;
	carry_over(b, 0, &new, 0, bs->table->r->opt->graph.lines);
	free_branch(b);
	*b = new;
	return true;
}

static int compare_branches(const void *one, const void *two)
{
	const struct rt_branch *a = one, *b = two;

	return (a->identity > b->identity) - (a->identity < b->identity);
}

static struct rt_branch *find_branch(const struct rt_branches *bs, uint64_t identity)
{
	struct rt_branch key = { .identity = identity };

	return bsearch(&key, bs->list, bs->count, sizeof(key), compare_branches);
}

/* Number the branches by their lines, and drop those whose lines are gone. */
void rt_branches_set(struct rt_branches *bs, struct rt_report_table *table)
{
	uint32_t i, kept = 0, *branch_of = calloc(table->count + 1, sizeof(*branch_of));

	bs->table = table;
	free(bs->of);
	bs->of = branch_of;
	if (!branch_of || !bs->count) {
		bs->failed |= !branch_of;
		return;
	}
	qsort(bs->list, bs->count, sizeof(*bs->list), compare_branches);
	for (i = 0; i < table->count; i++) {
		struct rt_branch *b = find_branch(bs, rt_line_identity(table, table->lines[i]));

		if (b && renew(bs, b, table->lines[i]))
			branch_of[i] = (uint32_t)(b - bs->list) + 1;
	}
	for (i = 0; i < table->count; i++)
		kept += branch_of[i] != 0;
	if (kept < bs->count) {
		/* Rare: a zoom leaves lines out.  They are closed when they come back. */
		struct rt_branch *list = calloc(kept + 1, sizeof(*list));

		if (!list) {
			bs->failed = true;
			return;
		}
		for (kept = 0, i = 0; i < table->count; i++)
			if (branch_of[i]) {
				list[kept] = bs->list[branch_of[i] - 1];
				memset(&bs->list[branch_of[i] - 1], 0, sizeof(*list));
				branch_of[i] = ++kept;
			}
		for (i = 0; i < bs->count; i++)
			free_branch(&bs->list[i]);
		free(bs->list);
		bs->list = list;
		bs->count = kept;
		bs->room = kept + 1;
	}
}

struct rt_branch *rt_branches_at(const struct rt_branches *bs, uint32_t line)
{
	uint32_t n = bs->of ? bs->of[line] : 0;

	return n ? &bs->list[n - 1] : NULL;
}

struct rt_branch *rt_branches_add(struct rt_branches *bs, uint32_t line)
{
	struct rt_line *l = bs->table->lines[line];
	struct rt_branch *b;

	if (!bs->of)
		return NULL;
	if (bs->count == bs->room) {
		uint32_t room = bs->room ? 2 * bs->room : 16;
		void *list = realloc(bs->list, room * sizeof(*bs->list));

		if (!list)
			return NULL;
		bs->list = list;
		bs->room = room;
	}
	b = &bs->list[bs->count];
	if (!grow_branch(bs, l, b))
		return NULL;
	b->identity = rt_line_identity(bs->table, l);
	bs->of[line] = ++bs->count;
	return b;
}
