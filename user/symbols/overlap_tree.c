// SPDX-License-Identifier: GPL-2.0
/*
 * overlap_tree.c - a red-black tree over sequence numbers, see overlap_tree.h.
 *
 * This is the textbook algorithm (Cormen et al.), which perf's rbtree follows step by step; only
 * the resulting shape matters.
 */
#include "symbols/overlap_tree.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NONE	       RT_SHAPE_NONE
#define LOG_FIRST_ROOM 256

static int make_room(void *array, uint32_t count, uint32_t *room, size_t size)
{
	void **p = array;
	uint32_t want = *room ? *room * 2 : LOG_FIRST_ROOM;
	void *grown;

	if (count < *room)
		return 0;
	if (want <= *room)
		return -ENOMEM;
	grown = realloc(*p, want * size);
	if (!grown)
		return -ENOMEM;
	*p = grown;
	*room = want;
	return 0;
}

int rt_overlap_log_insert(struct rt_overlap_log *log, uint64_t start)
{
	if (make_room(&log->start, log->starts, &log->starts_room, sizeof(*log->start)))
		return -ENOMEM;
	log->start[log->starts++] = start;
	return 0;
}

int rt_overlap_log_remove(struct rt_overlap_log *log, uint32_t seq)
{
	if (make_room(&log->removal, log->removals, &log->removals_room, sizeof(*log->removal)))
		return -ENOMEM;
	log->removal[log->removals].seq = seq;
	log->removal[log->removals++].after = log->starts;
	return 0;
}

void rt_overlap_log_free(struct rt_overlap_log *log)
{
	free(log->start);
	free(log->removal);
	memset(log, 0, sizeof(*log));
}

static bool is_red(const struct rt_overlap_tree *s, uint32_t n)
{
	return n != NONE && s->node[n].red;
}

/* Put `new` below the parent in place of `old`. */
static void replace_child(struct rt_overlap_tree *s, uint32_t parent, uint32_t old, uint32_t new)
{
	if (parent == NONE)
		s->root = new;
	else if (s->node[parent].left == old)
		s->node[parent].left = new;
	else
		s->node[parent].right = new;
}

static void rotate(struct rt_overlap_tree *s, uint32_t x, bool to_left)
{
	struct rt_overlap_node *nx = &s->node[x];
	uint32_t y = to_left ? nx->right : nx->left;
	struct rt_overlap_node *ny = &s->node[y];
	uint32_t inner = to_left ? ny->left : ny->right;

	if (to_left)
		nx->right = inner;
	else
		nx->left = inner;
	if (inner != NONE)
		s->node[inner].parent = x;
	ny->parent = nx->parent;
	replace_child(s, nx->parent, x, y);
	if (to_left)
		ny->left = x;
	else
		ny->right = x;
	nx->parent = y;
}

static void insert(struct rt_overlap_tree *s, const uint64_t *start, uint32_t n)
{
	uint32_t parent = NONE, at = s->root;
	bool left = false;

	while (at != NONE) {
		parent = at;
		left = start[n] < start[at];
		at = left ? s->node[at].left : s->node[at].right;
	}
	s->node[n] = (struct rt_overlap_node){ NONE, NONE, parent, 1 };
	if (parent == NONE)
		s->root = n;
	else if (left)
		s->node[parent].left = n;
	else
		s->node[parent].right = n;

	while (is_red(s, s->node[n].parent)) {
		uint32_t p = s->node[n].parent;
		uint32_t g = s->node[p].parent;
		bool p_left = s->node[g].left == p;
		uint32_t uncle = p_left ? s->node[g].right : s->node[g].left;

		if (is_red(s, uncle)) {
			s->node[p].red = s->node[uncle].red = 0;
			s->node[g].red = 1;
			n = g;
			continue;
		}
		if (n == (p_left ? s->node[p].right : s->node[p].left)) {
			rotate(s, p, p_left);
			p = n;
		}
		s->node[p].red = 0;
		s->node[g].red = 1;
		rotate(s, g, !p_left);
		break;
	}
	s->node[s->root].red = 0;
}

/* x (may be NONE) below p has one black node too few. */
static void rebalance(struct rt_overlap_tree *s, uint32_t x, uint32_t p)
{
	while (x != s->root && !is_red(s, x)) {
		bool x_left = s->node[p].left == x;
		uint32_t w = x_left ? s->node[p].right : s->node[p].left;
		uint32_t outer, inner;

		if (is_red(s, w)) {
			s->node[w].red = 0;
			s->node[p].red = 1;
			rotate(s, p, x_left);
			w = x_left ? s->node[p].right : s->node[p].left;
		}
		outer = x_left ? s->node[w].right : s->node[w].left;
		inner = x_left ? s->node[w].left : s->node[w].right;
		if (!is_red(s, outer) && !is_red(s, inner)) {
			s->node[w].red = 1;
			x = p;
			p = s->node[x].parent;
			continue;
		}
		if (!is_red(s, outer)) {
			s->node[inner].red = 0;
			s->node[w].red = 1;
			rotate(s, w, !x_left);
			w = x_left ? s->node[p].right : s->node[p].left;
			outer = x_left ? s->node[w].right : s->node[w].left;
		}
		s->node[w].red = s->node[p].red;
		s->node[p].red = 0;
		s->node[outer].red = 0;
		rotate(s, p, x_left);
		x = s->root;
	}
	if (x != NONE)
		s->node[x].red = 0;
}

static void erase(struct rt_overlap_tree *s, uint32_t z)
{
	struct rt_overlap_node *nz = &s->node[z];
	uint32_t y = z, x, p;
	bool black;

	if (nz->left != NONE && nz->right != NONE)
		for (y = nz->right; s->node[y].left != NONE;)
			y = s->node[y].left;

	x = s->node[y].left != NONE ? s->node[y].left : s->node[y].right;
	p = s->node[y].parent;
	black = !s->node[y].red;
	replace_child(s, p, y, x);
	if (x != NONE)
		s->node[x].parent = p;

	if (y != z) {
		/* The successor takes the place and colour of the removed node. */
		if (p == z)
			p = y;
		s->node[y] = *nz;
		replace_child(s, nz->parent, z, y);
		if (nz->left != NONE)
			s->node[nz->left].parent = y;
		if (nz->right != NONE)
			s->node[nz->right].parent = y;
	}
	if (black && s->root != NONE)
		rebalance(s, x, p);
}

struct rt_overlap_tree *rt_overlap_tree_build(const struct rt_overlap_log *log)
{
	struct rt_overlap_tree *s = malloc(sizeof(*s) + log->starts * sizeof(s->node[0]));
	uint32_t n = 0, r;

	if (!s)
		return NULL;
	s->root = NONE;
	for (r = 0; r < log->removals; r++) {
		for (; n < log->removal[r].after; n++)
			insert(s, log->start, n);
		erase(s, log->removal[r].seq);
	}
	for (; n < log->starts; n++)
		insert(s, log->start, n);
	return s;
}
