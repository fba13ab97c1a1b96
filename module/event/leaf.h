/* SPDX-License-Identifier: GPL-2.0 */
/*
 * leaf.h - the caller of a kernel function that has not pushed a frame.
 *
 * On arm64 a leaf function keeps its return address in the link register only, so the chain
 * of frame records skips its caller.
 */
#ifndef RT_LEAF_H
#define RT_LEAF_H

#include <linux/types.h>

#ifdef CONFIG_ARM64
void rt_leaf_init(void);
void rt_leaf_exit(void);

/* Whether the kernel function around PC leaves its return address in the link register there. */
bool rt_leaf_at(unsigned long pc);
#else
static inline void rt_leaf_init(void)
{
}

static inline bool rt_leaf_at(unsigned long pc)
{
	return false;
}

static inline void rt_leaf_exit(void)
{
}
#endif

#endif
