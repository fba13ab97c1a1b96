/* SPDX-License-Identifier: GPL-2.0 */
/*
 * leaf.h - arm64: who called a leaf function?
 *
 * A function that calls nobody may keep its return address in the link register and
 * make no frame, so that a stack walked by frame pointers misses its caller.  perf
 * therefore records the link register too, and finds out from the call frame
 * information of the sampled instruction whether the register still holds the return
 * address there.
 */
#ifndef RT_SCRIPT_LEAF_H
#define RT_SCRIPT_LEAF_H

#include "process/maps.h"
#include "script/script.h"

#define RT_REG_ARM64_LR 30

struct rt_leaf;

struct rt_leaf *rt_leaf_new(const struct rt_script *script);
void rt_leaf_free(struct rt_leaf *l);

/*
 * Is the return address of the function at pc in the link register?  True of all samples
 * at pc; with --compat, of those with the same mappings.
 */
bool rt_leaf_in_register(struct rt_leaf *l, const struct rt_maps *maps, uint64_t pc);

/* Where a leaf function at pc with this link register was called; 0: not known. */
uint64_t rt_leaf_caller(struct rt_leaf *l, const struct rt_maps *maps, uint64_t pc, uint64_t lr);

#endif
