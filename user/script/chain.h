/* SPDX-License-Identifier: GPL-2.0 */
/*
 * chain.h - the frames of a sample's stack, in the order they are shown.
 *
 * The kernel's chain has markers that say whose addresses follow; a stack that was
 * copied instead of walked is unwound here, and an arm64 leaf function's caller put
 * back in its place.
 */
#ifndef RT_SCRIPT_CHAIN_H
#define RT_SCRIPT_CHAIN_H

#include "script/frames.h"
#include "script/script.h"

struct rt_chain_entry {
	uint64_t ip;
	uint8_t cpumode;
	bool unwound; /* from a copied stack */
};

struct rt_chain; /* one thread's */

struct rt_chain *rt_chain_new(const struct rt_script *script, struct rt_frames *frames);
void rt_chain_free(struct rt_chain *c);

/*
 * The frames of a sample; valid until the next call.  False when there is no stack to
 * show and the sample's own address stands for it.
 */
bool rt_chain_expand(struct rt_chain *c, const struct rt_item *item,
		     const struct rt_chain_entry **entries, size_t *count);

#endif
