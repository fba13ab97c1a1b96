/* SPDX-License-Identifier: GPL-2.0 */
/*
 * a64_execute.h - execute A64 instructions that compute and branch, on registers of which some may
 * be unknown.
 *
 * The same source is built for the host, where tests run it.
 */
#ifndef RT_A64_EXECUTE_H
#define RT_A64_EXECUTE_H

#include "program/program_port.h"

struct rt_a64_state {
	u64 regs[32]; /* x0 … x30, sp */
	u64 pc;
	u32 nzcv;  /* the flags as in bits 31 to 28 of pstate */
	u32 known; /* one bit for each of regs */
	u32 written;
	bool flags_known;
	bool flags_written;
	bool clean; /* everything that the instruction has read was known */
};

enum rt_a64_step {
	RT_A64_NEXT,	  /* pc is after it */
	RT_A64_BRANCHED,  /* pc is its target */
	RT_A64_UNDECIDED, /* a branch on a value that is not known; pc is after it */
	RT_A64_LEAVES,	  /* a call, a return or a jump to a register: not executed */
	RT_A64_STRANGE,	  /* anything else: not executed */
};

/* Register R as data: 31 is zero.  Reading an unknown register clears `clean`. */
u64 rt_a64_get(struct rt_a64_state *s, u32 r);
void rt_a64_put(struct rt_a64_state *s, u32 r, u64 value, bool wide);

/* Executes no memory access. */
enum rt_a64_step rt_a64_execute(struct rt_a64_state *s, u32 insn);

#endif
