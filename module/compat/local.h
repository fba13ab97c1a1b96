/* SPDX-License-Identifier: GPL-2.0 */
/*
 * arm64: 64-bit updates that are atomic against nested contexts of one CPU.  The kernel's local_t is
 * atomic_long_t there: on processors without LSE each update leaves the inlined code by a jump and
 * prefetches a line that this CPU has anyway.  These are written in place, as the kernel's per-CPU
 * operations are, and the kernel patches the LSE instruction in.
 *
 * KCSAN does not see assembly, so kernels with KCSAN use the kernel's functions.
 *
 * Included by its one user, not by compat.h.
 */
#ifndef RT_COMPAT_LOCAL_H
#define RT_COMPAT_LOCAL_H

#include <linux/types.h>

#if defined(CONFIG_ARM64) && !defined(CONFIG_KCSAN)
#include <asm/atomic.h>
#include <asm/barrier.h>
#ifdef ARM64_LSE_ATOMIC_INSN /* 4.3 */
#define RT_COMPAT_LOCAL_INLINE

/* Add V.  No order. */
static __always_inline void rt_compat_local_add(u64 *p, u64 v)
{
	u32 fail;
	u64 sum;

	asm volatile(ARM64_LSE_ATOMIC_INSN("1:	ldxr	%[sum], %[at]\n"
					   "	add	%[sum], %[sum], %[v]\n"
					   "	stxr	%w[fail], %[sum], %[at]\n"
					   "	cbnz	%w[fail], 1b",
					   "	stadd	%[v], %[at]\n"
					   "	nop\n"
					   "	nop\n"
					   "	nop")
		     : [sum] "=&r"(sum), [fail] "=&r"(fail), [at] "+Q"(*p)
		     : [v] "r"(v));
}

/* The same; earlier accesses are ordered before it. */
static __always_inline void rt_compat_local_add_release(u64 *p, u64 v)
{
	u32 fail;
	u64 sum;

	asm volatile(ARM64_LSE_ATOMIC_INSN("1:	ldxr	%[sum], %[at]\n"
					   "	add	%[sum], %[sum], %[v]\n"
					   "	stlxr	%w[fail], %[sum], %[at]\n"
					   "	cbnz	%w[fail], 1b",
					   "	staddl	%[v], %[at]\n"
					   "	nop\n"
					   "	nop\n"
					   "	nop")
		     : [sum] "=&r"(sum), [fail] "=&r"(fail), [at] "+Q"(*p)
		     : [v] "r"(v)
		     : "memory");
}

/* Store NEW if the value is OLD, and tell whether it was.  No order. */
static __always_inline bool rt_compat_local_cas(u64 *p, u64 old, u64 new)
{
	u64 differs; /* bits of the value that OLD does not have, or the failure of the store */

	asm volatile(ARM64_LSE_ATOMIC_INSN("1:	ldxr	%[differs], %[at]\n"
					   "	eor	%[differs], %[differs], %[old]\n"
					   "	cbnz	%[differs], 2f\n"
					   "	stxr	%w[differs], %[new], %[at]\n"
					   "	cbnz	%w[differs], 1b\n"
					   "2:",
					   "	mov	%[differs], %[old]\n"
					   "	cas	%[differs], %[new], %[at]\n"
					   "	eor	%[differs], %[differs], %[old]\n"
					   "	nop\n"
					   "	nop")
		     : [differs] "=&r"(differs), [at] "+Q"(*p)
		     : [old] "r"(old), [new] "r"(new));
	return !differs;
}

#endif
#endif

#endif
