/* SPDX-License-Identifier: GPL-2.0 */
/*
 * chain.h - the frames of a sample's stack, in printing order.
 *
 * Markers in the kernel's chain say whether kernel or user addresses follow.  If the recording
 * holds a copy of the stack instead of addresses, this code unwinds it; it also restores the caller
 * of an arm64 leaf function.
 */
#ifndef RT_STACK_CHAIN_H
#define RT_STACK_CHAIN_H

#include "perfdata/read/sample.h"
#include "process/maps.h"
#include "stack/stack.h"

struct rt_chain_entry {
	uint64_t ip;
	uint8_t cpumode;
	bool unwound; /* from a copied stack */
};

/* Markers in a chain say whose addresses follow: every value from here up is a marker. */
#define RT_CHAIN_MARKERS ((uint64_t)-4095)

/* The mode that a marker stands for; -1 if the marker is invalid. */
int rt_chain_mode(uint64_t marker);

/* A sample with a stack, and the mappings of its process at that time. */
struct rt_chain_sample {
	const struct rt_perf_event *event;
	const struct rt_sample *sample;
	struct rt_maps *maps;
};

/* Answers rt_leaf_in_register(); the caller may keep the answers. */
typedef bool (*rt_chain_leaf_fn)(void *arg, const struct rt_maps *maps, uint64_t pc);

struct rt_chain; /* used by one thread */

struct rt_chain *rt_chain_new(const struct rt_stack_how *how, rt_chain_leaf_fn is_leaf, void *arg);
void rt_chain_free(struct rt_chain *c);

/*
 * Whether the stack consists only of the addresses in the sample's chain and what rt_chain_unwind()
 * finds behind them.
 */
bool rt_chain_is_plain(const struct rt_stack_how *how, const struct rt_perf_event *event);

/* Unwind the copied stack, if there is one; the number of addresses, valid until the next call. */
size_t rt_chain_unwind(struct rt_chain *c, const struct rt_chain_sample *of, const uint64_t **ips);

/*
 * Get the frames of a sample; valid until the next call.  False if the event has no stacks; the sample's
 * own address stands for one.
 */
bool rt_chain_expand(struct rt_chain *c, const struct rt_chain_sample *of,
		     const struct rt_chain_entry **entries, size_t *count);

#endif
