/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_PTRACE_H
#define RT_COMPAT_PTRACE_H

#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <linux/types.h>
#ifdef CONFIG_X86
#include <asm/unistd.h>
#endif

#ifndef RT_HAVE_REGS_GET_KERNEL_ARGUMENT
static inline unsigned long rt_compat_regs_get_kernel_argument(struct pt_regs *regs, unsigned int n)
{
#ifdef CONFIG_X86_64
	const unsigned long arguments[] = { regs->di, regs->si, regs->dx,
					    regs->cx, regs->r8, regs->r9 };
#else
	const u64 *arguments = regs->regs; /* x0 to x7 */
#endif

	return arguments[n];
}
#undef regs_get_kernel_argument
#define regs_get_kernel_argument rt_compat_regs_get_kernel_argument
#endif

/*
 * On older kernels the fast path of system calls on x86_64 leaves the registers that functions preserve where
 * they are: the first six words of the task's pt_regs are then whatever was on the stack.  These labels
 * are there if the kernel has that path; 3.18.140 has it, 4.9.154 does not.
 */
#if defined(CONFIG_X86_64) && !defined(CONFIG_ARCH_HAS_SYSCALL_WRAPPER)
#define RT_COMPAT_FAST_SYSCALLS	      "system_call_fastpath", "entry_SYSCALL_64_fastpath"
#define rt_compat_unsaved_words(regs) ((long)(regs)->orig_ax >= 0 ? 6U : 0U)
/* In kernels that have this per-CPU variable, system calls leave the user's stack pointer there alone. */
#define RT_COMPAT_USER_SP "old_rsp"
/*
 * Not those that make tasks, which save it in pt_regs.  A new task returns from such a call, and the variable has a
 * stack pointer of its parent until the task makes a system call itself.
 */
#define rt_compat_user_sp_saved(regs) \
	((regs)->orig_ax >= __NR_clone && (regs)->orig_ax <= __NR_vfork)
#define RT_COMPAT_USER_SP_WORD (offsetof(struct pt_regs, sp) / sizeof(u64))
#else
#define rt_compat_unsaved_words(regs) 0U
#endif

/* The frame that the kernel's entry makes, in the registers of the task; 0: this kernel makes none. */
#ifdef RT_HAVE_PT_REGS_STACKFRAME
#define rt_compat_last_frame(regs) ((unsigned long)&(regs)->stackframe)
#else
#define rt_compat_last_frame(regs) 0UL
#endif

#endif
