/* SPDX-License-Identifier: GPL-2.0 */
/*
 * leaf.h - arm64: find the caller of a leaf function.
 *
 * A function that calls no other may keep its return address in the link register and make no
 * frame, so a walk along frame pointers misses its caller.  Therefore perf also records the link
 * register.  The call frame information of the sampled instruction says whether the register still
 * holds the return address there.
 */
#ifndef RT_STACK_LEAF_H
#define RT_STACK_LEAF_H

#include "process/maps.h"
#include "stack/stack.h"

#define RT_REG_ARM64_LR 30

struct rt_leaf;

struct rt_leaf *rt_leaf_new(const struct rt_stack_how *how);
void rt_leaf_free(struct rt_leaf *l);

/*
 * Whether the link register holds the return address of the function at pc.  The answer holds for
 * all samples at pc; with --compat, for those with the same mappings.
 */
bool rt_leaf_in_register(struct rt_leaf *l, const struct rt_maps *maps, uint64_t pc);

/* The address from which a leaf function at pc with this link register was called; 0: unknown. */
uint64_t rt_leaf_caller(struct rt_leaf *l, const struct rt_maps *maps, uint64_t pc, uint64_t lr);

#endif
