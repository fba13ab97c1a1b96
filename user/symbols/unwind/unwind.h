/* SPDX-License-Identifier: GPL-2.0 */
/*
 * unwind.h - unwind the user stack of a sample from its registers and a copy of the top of its
 * stack (PERF_SAMPLE_REGS_USER + PERF_SAMPLE_STACK_USER).
 *
 * libunwind handles samples of this machine's architecture, libdw all others.
 *
 * This folder: user stacks from registers and stack bytes: call frame information, libunwind,
 * libdw.  May use: base, arch, symbols; libunwind, libdw.
 */
#ifndef RT_SYMBOLS_UNWIND_UNWIND_H
#define RT_SYMBOLS_UNWIND_UNWIND_H

#include "symbols/object.h"

struct rt_unwind_map {
	uint64_t start, end, pgoff;
	struct rt_object *object;
};

/* Fill in the mapping that contains addr at the time of the sample, or return false. */
typedef bool (*rt_unwind_map_fn)(void *arg, uint64_t addr, struct rt_unwind_map *map);

struct rt_unwind_sample {
	uint64_t space;	  /* names an address space: what is cached for one is used for all samples
			 * of the same number, so take a new one when its maps change */
	uint16_t machine; /* EM_AARCH64, EM_X86_64, ... of the recording */
	uint64_t abi;	  /* PERF_SAMPLE_REGS_ABI_* */
	uint64_t regs_mask;   /* attr.sample_regs_user */
	const uint64_t *regs; /* one for each bit set, host byte order */
	const void *stack;    /* bytes from the stack pointer up */
	size_t stack_len;     /* dyn_size of the record */
	rt_unwind_map_fn map;
	void *map_arg;
	bool as_perf; /* assume no more about memory than perf 6.1: see access_mem() */
	/* With as_perf: the start of the lowest mapping of an object; perf looks only at that. */
	uint64_t (*lowest)(void *arg, const struct rt_object *object);
};

enum rt_unwind_how {
	RT_UNWIND_BEST, /* as described above */
	RT_UNWIND_LIBDW,
	RT_UNWIND_LIBUNWIND,
};

struct rt_unwinder; /* used by one thread; caches what it can for each address space */

struct rt_unwinder *rt_unwinder_new(struct rt_symbols *syms, enum rt_unwind_how how);
void rt_unwinder_free(struct rt_unwinder *u);

/* Whether samples of this machine can be unwound at all. */
bool rt_unwinder_can(const struct rt_unwinder *u, uint16_t machine, uint64_t abi);

/*
 * ips[0] is the sampled instruction; then each caller's follows, already moved back into the call
 * instruction where perf does so.  Returns how many, at most `max`; 0 if not even the first is
 * known; -ENOTSUP if rt_unwinder_can() is false.
 */
int rt_unwind(struct rt_unwinder *u, const struct rt_unwind_sample *sample, uint64_t *ips,
	      unsigned int max);

/*
 * arm64 chains by frame pointers miss the caller of a leaf function.  perf also records the link
 * register and unwinds one step.  `pc` is the first user entry of the chain.  Returns the caller's
 * ip as perf would add it, or 0.
 */
uint64_t rt_unwind_leaf_caller(struct rt_unwinder *u, const struct rt_unwind_sample *sample,
			       uint64_t pc);

#endif
