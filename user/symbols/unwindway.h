/* SPDX-License-Identifier: GPL-2.0 */
/*
 * unwindway.h - the two ways of unwinding, behind unwind.c.
 */
#ifndef RT_SYMBOLS_UNWINDWAY_H
#define RT_SYMBOLS_UNWINDWAY_H

#include "symbols/unwindregs.h"

/* Address spaces each way remembers; more are forgotten oldest first. */
#define RT_UNWIND_SPACES 16

/* libunwind, for samples of the architecture we run on. */
struct rt_unwind_native;
bool rt_unwind_native_can(const struct rt_unwind_arch *arch);
struct rt_unwind_native *rt_unwind_native_new(void);
void rt_unwind_native_free(struct rt_unwind_native *n);
int rt_unwind_native(struct rt_unwind_native *n, const struct rt_unwind_arch *arch,
		     const struct rt_unwind_sample *s, uint64_t *ips, unsigned int max);

/* libdw, for samples of any architecture. */
struct rt_unwind_dw;
struct rt_unwind_dw *rt_unwind_dw_new(void);
void rt_unwind_dw_free(struct rt_unwind_dw *d);
int rt_unwind_dw(struct rt_unwind_dw *d, const struct rt_unwind_arch *arch,
		 const struct rt_unwind_sample *s, uint64_t *ips, unsigned int max);

/* A word of the sample's memory: from its stack, else from the files mapped. */
bool rt_unwind_memory(const struct rt_unwind_arch *arch, const struct rt_unwind_sample *s,
		      uint64_t addr, void *to);

#endif
