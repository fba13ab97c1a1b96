/* SPDX-License-Identifier: GPL-2.0 */
/*
 * registers.h - the few things about struct pt_regs that differ between architectures.
 */
#ifndef RT_REGISTERS_H
#define RT_REGISTERS_H

#include <linux/irqflags.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#ifdef CONFIG_ARM64
#include <asm/pointer_auth.h>
#endif

/* The slots of the program counter, and of the register that gives the return address on entry. */
#ifdef CONFIG_ARM64
#define RT_REGISTERS_PC	    32
#define RT_REGISTERS_RETURN 30 /* the link register */
#else
#define RT_REGISTERS_PC	    16
#define RT_REGISTERS_RETURN 19 /* the stack pointer */
#endif

/* Whether interrupts were off at these registers. */
static inline bool rt_registers_irqs_off(const struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return !(regs->flags & X86_EFLAGS_IF);
#else
	return !interrupts_enabled(regs);
#endif
}

/*
 * Whether perf_arch_fetch_caller_regs() made these registers: then a stack walk can use only the frame
 * pointer.
 */
static inline bool rt_registers_partial(const struct pt_regs *regs)
{
#ifdef CONFIG_X86
	/* Real flags always have this bit. */
	return !(regs->flags & X86_EFLAGS_FIXED);
#else
	return false;
#endif
}

/* Such registers do not tell whether interrupts are off; on x86 they have room for it. */
static inline void rt_registers_tell_irqs(struct pt_regs *regs)
{
#ifdef CONFIG_X86
	if (rt_registers_partial(regs) && !irqs_disabled())
		regs->flags |= X86_EFLAGS_IF;
#endif
}

/* Where the return address is kept at the first instruction of a function. */
static inline unsigned long *rt_registers_return(struct pt_regs *regs)
{
#ifdef CONFIG_ARM64
	return (unsigned long *)&regs->regs[30];
#else
	return (unsigned long *)kernel_stack_pointer(regs);
#endif
}

/* Where a function returns to, seen at its first instruction or where LINKED of stack.h holds. */
static inline u64 rt_registers_caller(const struct pt_regs *regs)
{
#ifdef CONFIG_ARM64
	/* Remove the signature that pointer authentication puts into the unused bits. */
	return regs->regs[30] | ptrauth_kernel_pac_mask();
#else
	unsigned long caller = 0;

	copy_from_kernel_nofault(&caller, (void *)kernel_stack_pointer((void *)regs),
				 sizeof(caller));
	return caller;
#endif
}

/* Copy the first COUNT registers that carry arguments, at the first instruction of a function. */
static __always_inline void rt_registers_save(const struct pt_regs *regs, u64 *to, u32 count)
{
#ifdef CONFIG_ARM64
	memcpy(to, regs->regs, count * sizeof(*to));
#else
	const u64 values[] = { regs->di, regs->si, regs->dx, regs->cx, regs->r8, regs->r9 };

	memcpy(to, values, count * sizeof(*to));
#endif
}

#endif
