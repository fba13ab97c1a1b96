/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stack.h - the kernel stack where an event fired, without the tracer's own frames.
 */
#ifndef RT_STACK_H
#define RT_STACK_H

#include <linux/types.h>

#include <uapi/ringtail.h>

struct pt_regs;

/*
 * Write at most MAX return addresses to STACK, the innermost first, and return how many.
 * Begins at REGS or, if that is NULL, at whoever called into this module.  Any context.
 * REGS of user space have no kernel stack.
 *
 * ENTRY says that REGS are at the first instruction of a function.  Where a call leaves
 * the return address in a register, no walker finds it on the stack at that moment.
 */
/* One stack for each level, so that nested walks do not meet; behind them those of the user side. */
#define RT_STACK_LEVELS	       (RT_LEVEL_NMI + 1)
#define RT_STACK_SCRATCH_BYTES (2 * RT_STACK_LEVELS * RT_STACK_MAX * sizeof(unsigned long))

u32 rt_stack_walk(unsigned long *stack, u32 max, struct pt_regs *regs, bool entry);

/* Once, at load. */
void rt_stack_init(void);

#endif
