/* SPDX-License-Identifier: GPL-2.0 */
/*
 * a64_exclusive.h - the module performs a load-exclusive and its store.
 *
 * A trap between the two makes the store fail, and the trap of the store itself is such a trap.
 * The program then retries, and hangs if the store is watched.  So the module interprets the
 * instructions from the load to the store and ends with a compare-and-exchange.
 *
 * At the load all registers are known, and the module performs the whole sequence.  At the store
 * the program has already executed the sequence, which must not take effect twice: the module
 * interprets it only to see whether it gives the same registers with the current contents of
 * memory.  If so, the module performs the store.  If not, another CPU has written, and the store
 * fails as it would fail without the trap.
 *
 * A load without a store is a load: the program waits for a change (WFE), has seen what it wants
 * (CLREX, a branch), or loads again.
 *
 * The same source is built for the host, where tests run it.
 */
#ifndef RT_A64_EXCLUSIVE_H
#define RT_A64_EXCLUSIVE_H

#include "a64_machine.h"

/* Instructions from the load to the store, both included. */
#define RT_A64_EXCLUSIVE_MAX 64

enum rt_a64_run {
	RT_A64_DONE,	/* regs, pc and nzcv are those after the store */
	RT_A64_FAILED,	/* the same, and the store has failed */
	RT_A64_ALONE,	/* a load without a store: only the load was done */
	RT_A64_REFUSED, /* not understood, or memory is not accessible; nothing has changed */
};

/* Run the sequence that PC, at its load or at its store, belongs to. */
enum rt_a64_run rt_a64_exclusive_run(struct rt_a64_machine *m);

#endif
