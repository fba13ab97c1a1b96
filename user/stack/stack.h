/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stack.h - how to find the frames of samples.  Settled before the first sample.
 *
 * This folder: the stack of a sample as a list of addresses (chain.h), the callers of arm64 leaf
 * functions (leaf.h), and what is at an address (location.h).  May use: base, perfdata,
 * perfdata/read, process, symbols, symbols/kernel, symbols/unwind.
 */
#ifndef RT_STACK_STACK_H
#define RT_STACK_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "perfdata/read/reader.h"
#include "symbols/symbols.h"

struct rt_stack_how {
	struct rt_symbols *symbols;
	unsigned int max;  /* frames of a stack */
	bool outermost;	   /* of a deeper stack, use the outermost frames, not the innermost */
	bool compat;	   /* exactly as perf 6.1 */
	uint16_t elf;	   /* the recorded machine's architecture */
	bool leaf_callers; /* arm64: the caller of a leaf function is only in LR */
};

/* The number of frames that the kernel records by default. */
#define RT_FRAMES_DEFAULT 127

/* Fill in `elf` and `leaf_callers`, once the events are known. */
void rt_stack_settle(struct rt_stack_how *how, const struct rt_reader *reader);

#endif
