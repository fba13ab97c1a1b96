/* SPDX-License-Identifier: GPL-2.0 */
/*
 * 5.18: "x86/alternative: Use .ibt_endbr_seal to seal indirect calls".  A kernel with IBT
 * erases at boot the marks of functions that none of its own code calls through a pointer.  If the CPU
 * checks the marks, such a call would stop the kernel.
 *
 * Included by its one user, not by compat.h.
 */
#ifndef RT_COMPAT_LANDING_H
#define RT_COMPAT_LANDING_H

#include <linux/compiler.h>
#include <linux/types.h>

#ifdef CONFIG_X86_KERNEL_IBT
#include <asm/cpufeature.h>

#define RT_COMPAT_ENDBR64 0xfa1e0ff3U /* f3 0f 1e fa */
#endif

/* Whether the function at this address of the kernel may be called through a pointer. */
static inline bool rt_compat_may_call(unsigned long address)
{
#ifdef CONFIG_X86_KERNEL_IBT
	return !boot_cpu_has(X86_FEATURE_IBT) ||
	       READ_ONCE(*(const u32 *)address) == RT_COMPAT_ENDBR64;
#else
	return true;
#endif
}

#endif
