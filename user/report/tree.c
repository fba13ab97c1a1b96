// SPDX-License-Identifier: GPL-2.0
#include "report/tree.h"

#include <stdlib.h>
#include <string.h>

#include "report/key_text.h"

#define FIRST_SLOTS 1024u

/* A slot is used if its generation is that of the tree, so a new tree need not clear the table. */
struct rt_tree_slot {
	uint32_t generation, node;
};

void rt_tree_free(struct rt_tree *tree)
{
	free(tree->nodes);
	free(tree->slots);
	free(tree->known);
	free(tree->sorted);
}

static uint64_t hash_of(uint32_t parent, uint32_t same, uint64_t ip)
{
	return rt_hash_mix((uint64_t)parent << 32 | same, ip) >> 32;
}

static void put(struct rt_tree *tree, uint32_t hash, uint32_t node)
{
	uint32_t at = hash & tree->mask;

	while (tree->slots[at].generation == tree->generation)
		at = (at + 1) & tree->mask;
	tree->slots[at] = (struct rt_tree_slot){ tree->generation, node };
}

static bool grow_slots(struct rt_tree *tree, bool lines)
{
	uint32_t size = tree->slots ? 2 * (tree->mask + 1) : FIRST_SLOTS, i;
	struct rt_tree_slot *slots = calloc(size, sizeof(*slots));

	if (!slots)
		return false;
	free(tree->slots);
	tree->slots = slots;
	tree->mask = size - 1;
	tree->generation = 1;
	for (i = 1; i < tree->count; i++)
		put(tree,
		    (uint32_t)hash_of(tree->nodes[i].parent, tree->nodes[i].same,
				      lines ? tree->nodes[i].ip : 0),
		    i);
	return true;
}

static uint32_t new_node(struct rt_tree *tree, uint32_t parent, const struct rt_profile_node *node,
			 uint32_t same)
{
	struct rt_tree_node *n;

	if (tree->count == tree->room) {
		uint32_t room = tree->room ? 2 * tree->room : 1024;
		void *nodes = realloc(tree->nodes, room * sizeof(*tree->nodes));

		if (!nodes)
			return 0;
		tree->nodes = nodes;
		tree->room = room;
	}
	n = &tree->nodes[tree->count];
	memset(n, 0, sizeof(*n));
	n->parent = parent;
	if (node) {
		n->func = node->func;
		n->same = same;
		n->ip = node->ip;
		n->address = node->address;
		n->sibling = tree->nodes[parent].child;
		tree->nodes[parent].child = tree->count;
		tree->nodes[parent].children++;
	}
	return tree->count++;
}

static uint32_t enter(struct rt_tree *tree, struct rt_report *r, uint32_t parent,
		      const struct rt_profile_node *node)
{
	bool lines = r->opt->graph.lines;
	uint64_t ip = lines ? node->ip : 0;
	uint32_t hash, at, n, same = rt_key_same(r, node->func);

	if (tree->single)
		return new_node(tree, parent, node, same);
	if ((!tree->slots || tree->count >= tree->mask / 2) && !grow_slots(tree, lines))
		return 0;
	hash = (uint32_t)hash_of(parent, same, ip);
	for (at = hash & tree->mask; tree->slots[at].generation == tree->generation;
	     at = (at + 1) & tree->mask) {
		struct rt_tree_node *old = &tree->nodes[tree->slots[at].node];

		if (old->parent == parent && old->same == same && (!lines || old->ip == ip))
			return tree->slots[at].node;
	}
	n = new_node(tree, parent, node, same);
	if (n)
		put(tree, hash, n);
	return n;
}

/*
 * From the outermost caller inwards, the place of a node of the profile in this tree depends on that
 * node alone.  So a stack is followed only up to the first node that another stack has entered.
 */
static uint32_t enter_callers_first(struct rt_tree *tree, struct rt_report_table *t, uint32_t stack,
				    uint32_t first)
{
	struct rt_profile *profile = t->r->profile;
	uint32_t node = stack, at = 0;
	size_t n = 0;

	while (node) {
		if (tree->known[node].generation == tree->known_generation) {
			at = tree->known[node].node;
			break;
		}
		if (!rt_table_push(t, n++, node))
			return 0;
		node = node == first ? 0 : rt_profile_node(profile, node)->caller;
	}
	while (n--) {
		node = t->path[n];
		at = enter(tree, t->r, at, rt_profile_node(profile, node));
		if (!at)
			return 0;
		tree->known[node] = (struct rt_tree_slot){ tree->known_generation, at };
	}
	return at;
}

static uint32_t enter_callees_first(struct rt_tree *tree, struct rt_report_table *t, uint32_t from)
{
	uint32_t at = 0;

	while (from) {
		const struct rt_profile_node *node = rt_profile_node(t->r->profile, from);

		at = enter(tree, t->r, at, node);
		if (!at)
			return 0;
		from = node->caller;
	}
	return at;
}

static void add_stack(struct rt_tree *tree, struct rt_report_table *t, const struct rt_share *share)
{
	const struct rt_sum *sum = &t->r->sums.list[share->sum];
	uint32_t at;

	if (!sum->stack)
		return;
	if (t->r->opt->graph.caller)
		at = enter_callers_first(tree, t, sum->stack, share->node);
	else
		at = enter_callees_first(tree, t, share->node ? share->node : sum->stack);
	if (!at) {
		tree->failed = true;
		return;
	}
	tree->nodes[at].hit += sum->period;
	tree->nodes[at].count += sum->count;
}

/* Forget which nodes of the profile have a place in the tree. */
static void forget(struct rt_tree *tree)
{
	if (!++tree->known_generation) {
		memset(tree->known, 0, tree->known_count * sizeof(*tree->known));
		tree->known_generation = 1;
	}
}

static bool prepare(struct rt_tree *tree, struct rt_report *r)
{
	uint32_t count = rt_profile_node_count(r->profile);

	if (tree->known_count < count) {
		free(tree->known);
		tree->known = calloc(count, sizeof(*tree->known));
		tree->known_count = tree->known ? count : 0;
		tree->known_generation = 0;
	}
	if (!tree->known)
		return false;
	if (!++tree->generation && tree->slots) /* it wrapped: old slots could look used */
		memset(tree->slots, 0, (tree->mask + 1) * sizeof(*tree->slots));
	tree->generation += !tree->generation;
	forget(tree);
	return true;
}

/*
 * Whether each node of the profile is one node of the tree.  Then none need be looked up.  Inlined
 * functions may be the same although their nodes differ.
 */
static bool is_single(struct rt_report_table *t, const struct rt_line *l)
{
	uint32_t node = t->shares[l->shares - 1].node, i;

	if (!t->r->opt->graph.caller || rt_profile_has_inlines(t->r->profile))
		return false;
	for (i = l->shares; i; i = t->shares[i - 1].next)
		if (t->shares[i - 1].node != node)
			return false;
	return true;
}

void rt_tree_make(struct rt_tree *tree, struct rt_report_table *t, const struct rt_line *l)
{
	uint32_t i;

	tree->count = 0;
	tree->sorted_count = 0;
	if (prepare(tree, t->r))
		new_node(tree, 0, NULL, 0);
	if (!tree->count) {
		tree->failed = true;
		return;
	}
	tree->single = is_single(t, l);
	for (i = l->shares; i; i = t->shares[i - 1].next)
		if (t->shares[i - 1].node)
			add_stack(tree, t, &t->shares[i - 1]);
	/* Whole stacks begin elsewhere, so nodes have other places. */
	forget(tree);
	for (i = l->shares; i; i = t->shares[i - 1].next)
		if (!t->shares[i - 1].node)
			add_stack(tree, t, &t->shares[i - 1]);
	/* A node is always behind its parent. */
	for (i = tree->count; i--;) {
		struct rt_tree_node *n = &tree->nodes[i];

		n->all_hit += n->hit;
		n->all_count += n->count;
		if (i) {
			tree->nodes[n->parent].all_hit += n->all_hit;
			tree->nodes[n->parent].all_count += n->all_count;
		}
	}
}

uint32_t rt_tree_branch_end(const struct rt_tree *tree, uint32_t node)
{
	while (tree->nodes[node].children == 1 && !tree->nodes[node].count)
		node = tree->nodes[node].child;
	return node;
}

struct comparing {
	const struct rt_tree *tree;
	struct rt_report *r;
};

/* Greatest first; then as perf, which orders the children of a node by object and address. */
static int compare(const void *one, const void *two, void *arg)
{
	const struct comparing *c = arg;
	const struct rt_tree_node *a = &c->tree->nodes[*(const uint32_t *)one];
	const struct rt_tree_node *b = &c->tree->nodes[*(const uint32_t *)two];
	const struct rt_profile_func *f, *g;
	uint64_t in_f, in_g;

	if (a->all_hit != b->all_hit)
		return a->all_hit > b->all_hit ? -1 : 1;
	f = rt_profile_func(c->r->profile, a->func);
	g = rt_profile_func(c->r->profile, b->func);
	in_f = f->object ? rt_object_index(f->object) + 1 : 0;
	in_g = g->object ? rt_object_index(g->object) + 1 : 0;
	if (in_f == in_g) {
		bool lines = c->r->opt->graph.lines;

		in_f = f->symbol && !lines ? f->address : a->ip;
		in_g = g->symbol && !lines ? g->address : b->ip;
	}
	return in_f == in_g ? 0 : in_f > in_g ? -1 : 1;
}

size_t rt_tree_children(struct rt_tree *tree, struct rt_report *r, uint32_t node, uint64_t least,
			size_t *from)
{
	struct comparing arg = { tree, r };
	size_t need = tree->sorted_count + tree->nodes[node].children;
	uint32_t i;

	*from = tree->sorted_count;
	if (need > tree->sorted_room) {
		void *sorted = realloc(tree->sorted, 2 * need * sizeof(*tree->sorted));

		if (!sorted) {
			tree->failed = true;
			return 0;
		}
		tree->sorted = sorted;
		tree->sorted_room = 2 * need;
	}
	for (i = tree->nodes[node].child; i; i = tree->nodes[i].sibling)
		if (tree->nodes[i].all_hit >= least)
			tree->sorted[tree->sorted_count++] = i;
	if (tree->sorted_count > *from)
		qsort_r(tree->sorted + *from, tree->sorted_count - *from, sizeof(*tree->sorted),
			compare, &arg);
	return tree->sorted_count - *from;
}
