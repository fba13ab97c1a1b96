// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/stacktrace.h>
#ifdef CONFIG_ARM64
#include <asm/pointer_auth.h>
#endif

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

#ifdef CONFIG_ARM64
/*
 * Every kernel for arm64 keeps frame records, and to follow them takes a tenth of the time
 * that the kernel's walker takes, which is prepared for more.  So we follow them ourselves,
 * and leave it to the walker, from the beginning, where there is more: another stack, an
 * exception on newer kernels, a return address that somebody has replaced.
 */
static unsigned long replaced[4] __read_mostly; /* by one of these */

static bool is_replaced(unsigned long address)
{
	return address == replaced[0] || address == replaced[1] || address == replaced[2] ||
	       address == replaced[3];
}

/* STACK has N frames; all of them, at most MAX, or 0. */
static u32 follow(unsigned long *stack, u32 n, u32 max, unsigned long frame)
{
	unsigned long low = (unsigned long)task_stack_page(current);
	unsigned long high =
		(unsigned long)task_pt_regs(current) + offsetof(struct pt_regs, stackframe);
	/* The signature that pointer authentication puts into the unused bits. */
	unsigned long unused = ptrauth_kernel_pac_mask(), caller, next;

	if (!kernels_walk)
		return 0;
	while (n < max) {
		if (frame < low || frame > high || (frame & (sizeof(long) - 1)))
			return 0;
		/* { caller's frame, return address } */
		next = READ_ONCE_NOCHECK(((unsigned long *)frame)[0]);
		caller = READ_ONCE_NOCHECK(((unsigned long *)frame)[1]);
		/* The entry from user space, or the beginning of a kernel thread. */
		if (!next && !caller)
			return frame == high ? n : 0;
		caller |= unused;
		if (next <= frame || is_replaced(caller))
			return 0;
		stack[n++] = caller;
		frame = next;
	}
	return n;
}

static u32 walk_quickly(unsigned long *stack, u32 max, struct pt_regs *regs)
{
	stack[0] = instruction_pointer(regs);
	return follow(stack, 1, max, frame_pointer(regs));
}

/* From the function that called us on: the leading frames are then our own. */
static u32 walk_here_quickly(unsigned long *stack, u32 max)
{
	return follow(stack, 0, max, (unsigned long)__builtin_frame_address(0));
}

static void quick_init(void)
{
	static const char *const names[] = { "kretprobe_trampoline", "__kretprobe_trampoline",
					     "arch_rethook_trampoline", "return_to_handler" };
	unsigned long (*resolve)(const char *name) = (void *)rt_lookup_address(RT_LOOKUP_KALLSYMS);
	int i;

	for (i = 0; resolve && i < ARRAY_SIZE(names); i++)
		replaced[i] = resolve(names[i]);
}
#else
static u32 walk_quickly(unsigned long *stack, u32 max, struct pt_regs *regs)
{
	return 0;
}

static u32 walk_here_quickly(unsigned long *stack, u32 max)
{
	return 0;
}

static void quick_init(void)
{
}
#endif

/* From where we are, then without the leading frames that lie in this module. */
static u32 walk_here(unsigned long *stack, u32 max)
{
	u32 n, max_here, own = 0;

	max_here = min_t(u32, max + OWN_FRAMES, RT_STACK_MAX);
	n = walk_here_quickly(stack, max_here);
	if (!n)
		n = stack_trace_save(stack, max_here, 0);
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
	u32 n = walk_quickly(stack, max, regs);

	if (n)
		return n;
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
	quick_init();
}
