// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#ifdef CONFIG_ARM64
#include <asm/pointer_auth.h>
#endif

#include <uapi/ringtail.h>

#include "compat/stacktrace.h"
#include "kernel/lookup.h"
#include "kernel/registers.h"
#include "stack.h"

/* Our own frames that may come before the first frame of the event. */
#define OWN_FRAMES 8

static rt_compat_stack_regs_fn kernels_walk __read_mostly;

/*
 * Our own walk, for kernels whose walker could not be looked up: follow the frame pointers as long
 * as they stay on the task's stack and go up.  A kernel without frame pointers gives one frame.
 */
static u32 stack_walk_frames(unsigned long *stack, u32 max, struct pt_regs *regs)
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

/* --- return addresses that another tracer has replaced ----------------------------- */

unsigned long rt_kretprobe_trampoline __read_mostly;
static unsigned long graph_trampoline __read_mostly; /* the function graph tracer's */

static void trampolines_init(void)
{
	/* Each kernel has one of them. */
	static const char *const names[] = { "kretprobe_trampoline", "__kretprobe_trampoline",
					     "arch_rethook_trampoline" };
	int i;

	for (i = 0; !rt_kretprobe_trampoline && i < ARRAY_SIZE(names); i++)
		rt_kretprobe_trampoline = rt_lookup_name(names[i]);
	graph_trampoline = rt_lookup_name("return_to_handler");
}

#ifdef CONFIG_ARM64
static bool is_replaced(unsigned long address)
{
	return address == rt_kretprobe_trampoline || address == graph_trampoline;
}

/*
 * Every arm64 kernel keeps frame records.  Following them takes a tenth of the time of the kernel's
 * walker, which handles more cases.  So we follow them ourselves, and start again with the kernel's
 * walker if we meet one of those cases: another stack, an exception on newer kernels, a return
 * address that another tracer has replaced.
 */

/* STACK already has N frames.  Returns how many it has in all, at most MAX; 0: use the walker. */
static u32 stack_follow(unsigned long *stack, u32 n, u32 max, unsigned long frame)
{
	unsigned long low = (unsigned long)task_stack_page(current);
	unsigned long high = rt_compat_last_frame(task_pt_regs(current));
	/* The bits where pointer authentication puts its signature. */
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
	return stack_follow(stack, 1, max, frame_pointer(regs));
}

/* Begin at the function that called us, so the leading frames are our own. */
static u32 walk_here_quickly(unsigned long *stack, u32 max)
{
	return stack_follow(stack, 0, max, (unsigned long)__builtin_frame_address(0));
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
#endif

/* Walk from here, then drop the leading frames: the walker, and what is in this module. */
static u32 walk_here(unsigned long *stack, u32 max)
{
	u32 n, max_here, own = 0;

	max_here = min_t(u32, max + OWN_FRAMES, RT_STACK_MAX);
	n = walk_here_quickly(stack, max_here);
	if (!n)
		n = stack_trace_save(stack, max_here, 0);
	/* Before 5.2 the kernel's walker begins with itself. */
	while (own < n && !within_module(stack[own], THIS_MODULE))
		own++;
	if (own == n)
		own = 0;
	while (own < n && within_module(stack[own], THIS_MODULE))
		own++;
	n -= own;
	memmove(stack, stack + own, n * sizeof(*stack));
	return min(n, max);
}

/*
 * For software events the kernel provides registers of which a walker that does not follow frame
 * pointers can use only the address.  So walk from here, and drop everything before that address.
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
	return kernels_walk ? rt_compat_stack_regs(kernels_walk, regs, stack, max) :
			      stack_walk_frames(stack, max, regs);
}

/*
 * Whether a walk from the first instruction of a function lacks the function's caller: a walk along
 * frames begins with the frame of the caller, which has the address of the caller's caller.
 */
static bool walk_misses_caller(void)
{
#if defined(CONFIG_ARM64) || (defined(CONFIG_FRAME_POINTER) && !defined(CONFIG_UNWINDER_ORC) && \
			      !defined(CONFIG_ORC_UNWINDER)) /* its name in 4.14 */
	return true;
#else
	return !kernels_walk;
#endif
}

u32 rt_stack_walk(unsigned long *stack, u32 max, struct pt_regs *regs, bool linked)
{
	u32 n;

	if (!regs)
		return walk_here(stack, max);
	if (user_mode(regs))
		return 0;
	if (rt_registers_partial(regs))
		return walk_to(stack, max, instruction_pointer(regs));
	if (!linked || max < 2 || !walk_misses_caller())
		return walk_from(stack, max, regs);
	/* Write the walk after the first entry, then insert the caller. */
	n = walk_from(stack + 1, max - 1, regs);
	stack[0] = instruction_pointer(regs);
	stack[1] = rt_registers_caller(regs);
	return max(n + 1, 2U);
}
NOKPROBE_SYMBOL(rt_stack_walk);

void rt_stack_init(void)
{
	kernels_walk = (rt_compat_stack_regs_fn)rt_lookup_address(RT_LOOKUP_STACK_REGS);
	trampolines_init();
}
