/* SPDX-License-Identifier: GPL-2.0 */
/*
 * a64_state.h - registers of which some may be unknown, while instructions are executed on them.
 */
#ifndef RT_A64_STATE_H
#define RT_A64_STATE_H

#include "program/program_port.h"

struct rt_a64_machine;

struct rt_a64_state {
	u64 regs[32]; /* x0 … x30, sp */
	u64 pc;
	const struct rt_a64_machine *machine; /* reads its system registers */
	u32 nzcv;			      /* the flags as in bits 31 to 28 of pstate */
	u32 known;			      /* one bit for each of regs */
	u32 written;
	bool flags_known;
	bool flags_written;
	bool clean; /* everything that the instruction has read was known */
};

/* Register R as data: 31 is zero.  Reading an unknown register clears `clean`. */
u64 rt_a64_get(struct rt_a64_state *s, u32 r);
void rt_a64_put(struct rt_a64_state *s, u32 r, u64 value, bool wide);
/* The flags as in bits 31 to 28 of pstate, in the same way. */
u32 rt_a64_get_flags(struct rt_a64_state *s);
void rt_a64_put_flags(struct rt_a64_state *s, u32 nzcv);

#endif
