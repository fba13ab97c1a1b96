/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Before 5.2 the kernel's stack walkers take a struct, and may end the list with ULONG_MAX.
 *
 * Included by its users, not by compat.h.
 */
#ifndef RT_COMPAT_STACKTRACE_H
#define RT_COMPAT_STACKTRACE_H

#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#ifdef RT_HAVE_STACK_TRACE_SAVE
#define RT_COMPAT_STACK_REGS "stack_trace_save_regs"
typedef unsigned int (*rt_compat_stack_regs_fn)(struct pt_regs *regs, unsigned long *store,
						unsigned int size, unsigned int skip);

static inline unsigned int rt_compat_stack_regs(rt_compat_stack_regs_fn walk, struct pt_regs *regs,
						unsigned long *store, unsigned int size)
{
	return walk(regs, store, size, 0);
}
#else
#define RT_COMPAT_STACK_REGS "save_stack_trace_regs"
typedef void (*rt_compat_stack_regs_fn)(struct pt_regs *regs, struct stack_trace *trace);

static inline unsigned int rt_compat_stack_end(const struct stack_trace *trace)
{
	unsigned int n = trace->nr_entries;

	return n && trace->entries[n - 1] == ULONG_MAX ? n - 1 : n;
}

static inline unsigned int rt_compat_stack_regs(rt_compat_stack_regs_fn walk, struct pt_regs *regs,
						unsigned long *store, unsigned int size)
{
	struct stack_trace trace = { .entries = store, .max_entries = size };
	unsigned int n;

	walk(regs, &trace);
	n = rt_compat_stack_end(&trace);
	/* Before 4.9 the walker of x86 leaves out the address in the registers. */
	if (n && store[0] == instruction_pointer(regs))
		return n;
	n = min(n, size - 1);
	memmove(store + 1, store, n * sizeof(*store));
	store[0] = instruction_pointer(regs);
	return n + 1;
}

static inline unsigned int rt_compat_stack_trace_save(unsigned long *store, unsigned int size,
						      unsigned int skip)
{
	struct stack_trace trace = { .entries = store, .max_entries = size, .skip = skip };

	save_stack_trace(&trace);
	return rt_compat_stack_end(&trace);
}
#define stack_trace_save     rt_compat_stack_trace_save
#endif

#endif
