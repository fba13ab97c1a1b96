/* SPDX-License-Identifier: GPL-2.0 */
/*
 * a64_flow.h - where A64 code can go from a load-exclusive: along which instructions to a store.
 *
 * The same source is built for the host, where tests run it.
 */
#ifndef RT_A64_FLOW_H
#define RT_A64_FLOW_H

#include "program/program_port.h"

struct rt_a64_machine;

/* LDXR, LDAXR, LDXP, LDAXP; STXR, STLXR, STXP, STLXP; each of any width. */
bool rt_a64_is_load_exclusive(u32 insn);
bool rt_a64_is_store_exclusive(u32 insn);

/* WFE, WFI, WFET, WFIT, CLREX: the program waits for a change, or gives the exclusive access up. */
bool rt_a64_ends_exclusive(u32 insn);

/*
 * The instructions on a way from the one at FROM to the one at TO, which is less than 64 behind it: a bit
 * for each, counted from FROM.  False: the code cannot be read.
 */
bool rt_a64_flow_ways(const struct rt_a64_machine *m, u64 from, u64 to, u64 *ways);

enum rt_a64_flow {
	RT_A64_FLOW_NONE,    /* every way comes to another load-exclusive, a wait or CLREX first */
	RT_A64_FLOW_STORE,   /* a way comes to a store-exclusive */
	RT_A64_FLOW_UNKNOWN, /* none of those seen does, but there are more */
};

/* Whether the code from PC on can come to a store-exclusive. */
enum rt_a64_flow rt_a64_flow_find(const struct rt_a64_machine *m, u64 pc);

#endif
