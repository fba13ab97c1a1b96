/* SPDX-License-Identifier: GPL-2.0 */
/*
 * registers.h - the few things about struct pt_regs that differ between architectures.
 */
#ifndef RT_REGISTERS_H
#define RT_REGISTERS_H

#include <linux/ptrace.h>
#include <linux/uaccess.h>

/* Whether a call leaves the return address in a register. */
#ifdef CONFIG_ARM64
#define RT_REGISTERS_LINK 1
#else
#define RT_REGISTERS_LINK 0
#endif

/* The slot of the program counter. */
#ifdef CONFIG_ARM64
#define RT_REGISTERS_PC 32
#else
#define RT_REGISTERS_PC 16
#endif

/* Whether interrupts were off where these registers were. */
static inline bool rt_registers_irqs_off(const struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return !(regs->flags & X86_EFLAGS_IF);
#else
	return !interrupts_enabled(regs);
#endif
}

/*
 * Whether these are registers that perf_arch_fetch_caller_regs() made up, from which only
 * frame pointers lead on.
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

/* Where a function returns to, seen at its first instruction. */
static inline u64 rt_registers_caller(const struct pt_regs *regs)
{
#ifdef CONFIG_ARM64
	return regs->regs[30];
#else
	unsigned long caller = 0;

	copy_from_kernel_nofault(&caller, (void *)kernel_stack_pointer((void *)regs),
				 sizeof(caller));
	return caller;
#endif
}

#endif
