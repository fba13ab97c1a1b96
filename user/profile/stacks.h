/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stacks.h - from the raw stack of a sample to its node.
 *
 * Two samples with the same mappings and the same addresses have the same stack.  A cache of fixed
 * size remembers the nodes of raw stacks, so most samples cost one hash over their addresses.
 */
#ifndef RT_PROFILE_STACKS_H
#define RT_PROFILE_STACKS_H

#include "profile/funcs.h"
#include "profile/nodes.h"
#include "stack/chain.h"

struct rt_stacks_how {
	const struct rt_stack_how *stack;
	const struct rt_machine *machine;
	bool all_inlines, no_inlines, hide_unresolved;
};

struct rt_stacks;

struct rt_stacks *rt_stacks_new(const struct rt_stacks_how *how, struct rt_funcs *funcs,
				struct rt_nodes *nodes);
void rt_stacks_free(struct rt_stacks *s);

/* The node of the sample's stack; 0 if it has none. */
uint32_t rt_stacks_node(struct rt_stacks *s, const struct rt_chain_sample *of);

#endif
