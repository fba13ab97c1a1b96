/* SPDX-License-Identifier: GPL-2.0 */
/*
 * a64_exclusive.h - a load-exclusive and its store, done by us.
 *
 * A trap between the two, and the trap of the store itself is one, makes the store fail,
 * and the program tries again: for ever, if the store is watched.  So the few instructions
 * from the load to the store are interpreted, with a compare-and-exchange at the end.
 *
 * The same source is built for the host, where tests run it.
 */
#ifndef RT_A64_EXCLUSIVE_H
#define RT_A64_EXCLUSIVE_H

#include "program_port.h"

/* Instructions from the load to the store, both included. */
#define RT_A64_EXCLUSIVE_MAX 16

struct rt_a64_machine {
	u64 *regs; /* x0 … x30, sp */
	u64 pc;
	u32 nzcv; /* the flags as in bits 31 to 28 of pstate */

	/* Filled in: what was done to memory. */
	bool stored;
	u64 address;
	u32 size;
	u64 old;
	u64 new;

	/* Of the caller: 0 or an error; exchange() also tells what was there. */
	int (*fetch)(u64 pc, u32 *insn);
	int (*load)(u64 address, u32 size, u64 *value);
	int (*exchange)(u64 address, u32 size, u64 old, u64 new, u64 *was);
};

/* Whether INSN is a load-exclusive or store-exclusive of one register. */
bool rt_a64_is_exclusive(u32 insn);

/*
 * Run the sequence that PC, at its load or at its store, belongs to; afterwards PC is
 * behind the store, or where a branch has left the sequence.  False: there is something in
 * it that is not understood; nothing has changed then.
 */
bool rt_a64_exclusive_run(struct rt_a64_machine *m);

#endif
