// SPDX-License-Identifier: GPL-2.0
#include "profile/nodes.h"

#include <stdlib.h>

#include "base/hash.h"

#define BLOCK	   4096 /* nodes */
#define BLOCKS_MAX (1u << 19)

struct rt_nodes {
	bool by_address;
	struct rt_profile_node **blocks;
	uint32_t count, blocks_room;
	struct rt_index index;
};

struct rt_nodes *rt_nodes_new(bool by_address)
{
	struct rt_nodes *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->by_address = by_address;
	n->blocks = calloc(1, sizeof(*n->blocks));
	if (n->blocks)
		n->blocks[0] = calloc(BLOCK, sizeof(struct rt_profile_node));
	if (!n->blocks || !n->blocks[0]) {
		rt_nodes_free(n);
		return NULL;
	}
	n->blocks_room = 1;
	n->count = 1; /* number 0 is the end of every stack */
	return n;
}

void rt_nodes_free(struct rt_nodes *n)
{
	uint32_t i;

	if (!n)
		return;
	for (i = 0; i < n->blocks_room; i++)
		free(n->blocks[i]);
	free(n->blocks);
	rt_index_free(&n->index);
	free(n);
}

static struct rt_profile_node *at(const struct rt_nodes *n, uint32_t i)
{
	return &n->blocks[i / BLOCK][i % BLOCK];
}

const struct rt_profile_node *rt_nodes_get(const struct rt_nodes *n, uint32_t node)
{
	return at(n, node);
}

uint32_t rt_nodes_count(const struct rt_nodes *n)
{
	return n->count;
}

static bool make_room(struct rt_nodes *n)
{
	if (n->count < n->blocks_room * BLOCK)
		return true;
	if (n->blocks_room == BLOCKS_MAX)
		return false;
	if (!(n->blocks_room & (n->blocks_room - 1))) {
		void *blocks = realloc(n->blocks, 2 * (size_t)n->blocks_room * sizeof(*n->blocks));

		if (!blocks)
			return false;
		n->blocks = blocks;
	}
	n->blocks[n->blocks_room] = calloc(BLOCK, sizeof(struct rt_profile_node));
	if (!n->blocks[n->blocks_room])
		return false;
	n->blocks_room++;
	return true;
}

uint32_t rt_nodes_enter(struct rt_nodes *n, const struct rt_profile_node *node)
{
	uint64_t hash = rt_hash_mix((uint64_t)node->caller << 32 | node->func,
				    n->by_address ? node->ip : 0);
	struct rt_index_probe probe;
	uint32_t i;

	for (i = rt_index_first(&n->index, hash, &probe); i; i = rt_index_next(&n->index, &probe)) {
		const struct rt_profile_node *old = at(n, i);

		if (old->caller == node->caller && old->func == node->func &&
		    (!n->by_address || old->ip == node->ip))
			return i;
	}
	if (!make_room(n) || !rt_index_add(&n->index, hash, n->count))
		return 0;
	*at(n, n->count) = *node;
	return n->count++;
}
