/* SPDX-License-Identifier: GPL-2.0 */
/*
 * nodes.h - the stacks of a recording as one tree: a node is a function called along one path from
 * the outermost caller.  Stacks share the nodes of their common callers.
 */
#ifndef RT_PROFILE_NODES_H
#define RT_PROFILE_NODES_H

#include <stdbool.h>
#include <stdint.h>

struct rt_profile_node {
	uint32_t caller;  /* a node; 0: none */
	uint32_t func;	  /* for rt_profile_func() */
	uint64_t ip;	  /* as first seen: the raw address, */
	uint64_t address; /* and the address in the object, for its source line */
};

struct rt_nodes;

struct rt_nodes *rt_nodes_new(bool by_address);
void rt_nodes_free(struct rt_nodes *n);

/* The node of a function called from `node`->caller; 0 if there is no memory. */
uint32_t rt_nodes_enter(struct rt_nodes *n, const struct rt_profile_node *node);

const struct rt_profile_node *rt_nodes_get(const struct rt_nodes *n, uint32_t node);
uint32_t rt_nodes_count(const struct rt_nodes *n);

#endif
