// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/stacktrace.h>

#include <uapi/ringtail.h>

#include "lookup.h"
#include "registers.h"
#include "stack.h"

/* Frames of our own that may lie in front of the one that is wanted. */
#define OWN_FRAMES 8

typedef unsigned int (*walk_regs_fn)(struct pt_regs *regs, unsigned long *store, unsigned int size,
				     unsigned int skip);

static walk_regs_fn kernels_walk __read_mostly;

/*
 * Our own walk, for kernels whose walker could not be looked up: along the frame
 * pointers, as far as they stay on the task's stack and go up.  A kernel without frame
 * pointers gives one frame.
 */
static u32 walk_frames(unsigned long *stack, u32 max, struct pt_regs *regs)
{
	unsigned long low = (unsigned long)task_stack_page(current);
	unsigned long high = low + THREAD_SIZE - 2 * sizeof(long);
	unsigned long frame = frame_pointer(regs), next;
	u32 n = 0;

	stack[n++] = instruction_pointer(regs);
	while (n < max && frame >= low && frame <= high && !(frame & (sizeof(long) - 1))) {
		/* { caller's frame, return address } on both architectures */
		stack[n++] = READ_ONCE_NOCHECK(((unsigned long *)frame)[1]);
		next = READ_ONCE_NOCHECK(((unsigned long *)frame)[0]);
		if (next <= frame)
			break;
		frame = next;
	}
	return n;
}

/* From where we are, then without the leading frames that lie in this module. */
static u32 walk_here(unsigned long *stack, u32 max)
{
	u32 n, own = 0;

	n = stack_trace_save(stack, min_t(u32, max + OWN_FRAMES, RT_STACK_MAX), 0);
	while (own < n && within_module(stack[own], THIS_MODULE))
		own++;
	n -= own;
	memmove(stack, stack + own, n * sizeof(*stack));
	return min(n, max);
}

/*
 * The kernel's software events hand out registers of which only the address is of use to
 * a walker that does not follow frame pointers.  So walk from here, and leave out
 * everything before that address.
 */
static u32 walk_to(unsigned long *stack, u32 max, unsigned long ip)
{
	u32 n = stack_trace_save(stack, RT_STACK_MAX, 0), first = 0;

	while (first < n && stack[first] != ip)
		first++;
	if (first == n) {
		stack[0] = ip;
		return 1;
	}
	n -= first;
	memmove(stack, stack + first, n * sizeof(*stack));
	return min(n, max);
}

static u32 walk_from(unsigned long *stack, u32 max, struct pt_regs *regs)
{
	return kernels_walk ? kernels_walk(regs, stack, max, 0) : walk_frames(stack, max, regs);
}

u32 rt_stack_walk(unsigned long *stack, u32 max, struct pt_regs *regs, bool entry)
{
	u32 n;

	if (!regs)
		return walk_here(stack, max);
	if (user_mode(regs))
		return 0;
	if (rt_registers_partial(regs))
		return walk_to(stack, max, instruction_pointer(regs));
	if (!RT_REGISTERS_LINK || !entry || max < 2)
		return walk_from(stack, max, regs);
	/* Walk into the places behind the first, then put the caller between. */
	n = walk_from(stack + 1, max - 1, regs);
	stack[0] = instruction_pointer(regs);
	stack[1] = rt_registers_caller(regs);
	return max(n + 1, 2U);
}
NOKPROBE_SYMBOL(rt_stack_walk);

void rt_stack_init(void)
{
	kernels_walk = (walk_regs_fn)rt_lookup_address(RT_LOOKUP_STACK_REGS);
}
