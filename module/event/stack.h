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
 * The walk begins at REGS or, if that is NULL, at the caller of this module.  Any context.  User
 * registers have no kernel stack.
 *
 * LINKED says that the function at REGS has not made a frame: at its first instruction or, on arm64,
 * in a leaf.  Its return address is in the link register, or on x86 at the top of the stack.  A walker
 * that follows frames does not find it there.
 */
u32 rt_stack_walk(unsigned long *stack, u32 max, struct pt_regs *regs, bool linked);

/* One stack for each level, because walks nest; then the same number of stacks for the user side. */
#define RT_STACK_LEVELS	       (RT_LEVEL_NMI + 1)
#define RT_STACK_SCRATCH_BYTES (2 * RT_STACK_LEVELS * RT_STACK_MAX * sizeof(unsigned long))

/* The address that kretprobes put in place of a return address; 0: not known. */
extern unsigned long rt_kretprobe_trampoline;

/* Whether a kretprobe has replaced this return address. */
static inline bool rt_stack_by_kretprobe(unsigned long address)
{
	return address == rt_kretprobe_trampoline && address;
}

/* Once, at load. */
void rt_stack_init(void);

#endif
