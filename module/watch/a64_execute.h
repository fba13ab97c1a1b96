/* SPDX-License-Identifier: GPL-2.0 */
/*
 * a64_execute.h - execute A64 instructions that compute and branch, on registers of which some may
 * be unknown.
 *
 * The same source is built for the host, where tests run it.
 */
#ifndef RT_A64_EXECUTE_H
#define RT_A64_EXECUTE_H

#include "a64_state.h"

enum rt_a64_step {
	RT_A64_NEXT,	  /* pc is after it */
	RT_A64_BRANCHED,  /* pc is its target */
	RT_A64_UNDECIDED, /* a branch on a value that is not known; pc is after it */
	RT_A64_LEAVES,	  /* a call, a return or a jump to a register: not executed */
	RT_A64_STRANGE,	  /* anything else: not executed */
};

/* Executes no memory access. */
enum rt_a64_step rt_a64_execute(struct rt_a64_state *s, u32 insn);

#endif
