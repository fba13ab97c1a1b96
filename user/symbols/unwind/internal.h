/* SPDX-License-Identifier: GPL-2.0 */
/* internal.h - the unwinding methods behind unwind.c. */
#ifndef RT_SYMBOLS_UNWIND_INTERNAL_H
#define RT_SYMBOLS_UNWIND_INTERNAL_H

#include "symbols/unwind/registers.h"

/* The number of address spaces that each method caches; the oldest is dropped first. */
#define RT_UNWIND_SPACES 16

/* libunwind, for samples of this machine's architecture. */
struct rt_unwind_native;
bool rt_unwind_native_can(const struct rt_unwind_arch *arch);
struct rt_unwind_native *rt_unwind_native_new(void);
void rt_unwind_native_free(struct rt_unwind_native *n);
int rt_unwind_native(struct rt_unwind_native *n, const struct rt_unwind_arch *arch,
		     const struct rt_unwind_sample *s, uint64_t *ips, unsigned int max);

/*
 * The fast method: cached rows of call frame information.  If `whole` is false on return, the stack
 * may go on, but only a library can tell.
 */
struct rt_unwind_rows;
bool rt_unwind_rows_can(const struct rt_unwind_arch *arch);
struct rt_unwind_rows *rt_unwind_rows_new(void);
void rt_unwind_rows_free(struct rt_unwind_rows *rows);
int rt_unwind_rows(struct rt_unwind_rows *rows, const struct rt_unwind_arch *arch,
		   const struct rt_unwind_sample *s, uint64_t *ips, unsigned int max, bool *whole);

/* libdw, for samples of any architecture. */
struct rt_unwind_dw;
struct rt_unwind_dw *rt_unwind_dw_new(void);
void rt_unwind_dw_free(struct rt_unwind_dw *d);
int rt_unwind_dw(struct rt_unwind_dw *d, const struct rt_unwind_arch *arch,
		 const struct rt_unwind_sample *s, uint64_t *ips, unsigned int max);

/* Read a word of the sample's memory: from its stack, otherwise from the mapped files. */
bool rt_unwind_memory(const struct rt_unwind_arch *arch, const struct rt_unwind_sample *s,
		      uint64_t addr, void *to);

#endif
