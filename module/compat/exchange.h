/* SPDX-License-Identifier: GPL-2.0 */
/*
 * arm64: compare and exchange 1 to 8 bytes at any address in one operation.  The kernel offers this
 * for futexes only.  The access is not instrumented, because it replaces one that the watched code
 * was about to make.
 *
 * Included by its one user, not by compat.h.
 */
#ifndef RT_COMPAT_EXCHANGE_H
#define RT_COMPAT_EXCHANGE_H

#include <linux/errno.h>
#include <linux/types.h>
#include <linux/uaccess.h>

/* A store-exclusive may fail spuriously: try at most this often. */
#define RT_EXCHANGE_LOOPS 1000

/* clang-format would treat %w as an operator. */
/* clang-format off */
#if defined(_ASM_EXTABLE_UACCESS_ERR)
#define RT_EXCHANGE_FIXUP(from, to) _ASM_EXTABLE_UACCESS_ERR(from, to, %w[err])
#elif defined(_ASM_EXTABLE)
#define RT_EXCHANGE_FIXUP(from, to) _ASM_EXTABLE(from, to)
#endif
/* clang-format on */

#define RT_EXCHANGE_ASM(LDAXR, STLXR, P, AT, FIXUPS)                                               \
	asm volatile("1:	" LDAXR " %" P "[was], %[at]\n"                                    \
		     "	cmp	%" P "[was], %" P "[old]\n"                                        \
		     "	b.ne	3f\n"                                                                  \
		     "2:	" STLXR " %w[fail], %" P "[new], %[at]\n"                          \
		     "	cbz	%w[fail], 3f\n"                                                         \
		     "	sub	%w[loops], %w[loops], #1\n"                                             \
		     "	cbnz	%w[loops], 1b\n"                                                       \
		     "	b	4f\n"                                                                     \
		     "3:	dmb	ish\n"                                                                \
		     "	mov	%w[err], #0\n"                                                          \
		     "4:\n" FIXUPS                                                                 \
		     : [was] "=&r"(was), [fail] "=&r"(fail), [loops] "+r"(loops), [err] "+r"(err), \
		       [at] "+Q"(*(AT))                                                            \
		     : [old] "r"(old), [new] "r"(new)                                              \
		     : "memory", "cc")

#define RT_EXCHANGE_SIZES(FIXUPS)                                                 \
	switch (size) {                                                           \
	case 1:                                                                   \
		RT_EXCHANGE_ASM("ldaxrb", "stlxrb", "w", (u8 *)address, FIXUPS);  \
		break;                                                            \
	case 2:                                                                   \
		RT_EXCHANGE_ASM("ldaxrh", "stlxrh", "w", (u16 *)address, FIXUPS); \
		break;                                                            \
	case 4:                                                                   \
		RT_EXCHANGE_ASM("ldaxr", "stlxr", "w", (u32 *)address, FIXUPS);   \
		break;                                                            \
	case 8:                                                                   \
		RT_EXCHANGE_ASM("ldaxr", "stlxr", "x", (u64 *)address, FIXUPS);   \
		break;                                                            \
	}

/*
 * Store NEW if the value at ADDRESS is OLD; both have SIZE bytes.  0: *THERE is the value that was
 * found, OLD or not.  Otherwise an error: the access failed, or every try of the store did.
 */
static __always_inline int rt_compat_exchange(unsigned long address, u32 size, u64 old, u64 new,
					      u64 *there)
{
	u32 loops = RT_EXCHANGE_LOOPS, fail;
	int err = -EAGAIN;
	u64 was = 0;

	RT_EXCHANGE_SIZES("")
	*there = was;
	return err;
}

/*
 * The pointer with which the kernel may access what a program accesses with ADDRESS: with its tag only
 * if the task may pass tagged pointers to system calls.
 */
static __always_inline unsigned long rt_compat_user_pointer(unsigned long address)
{
#ifdef TIF_TAGGED_ADDR
	if (test_thread_flag(TIF_TAGGED_ADDR))
		return address;
#endif
	return (unsigned long)((long)(address << 8) >> 8);
}

/* Let instructions of the kernel access user memory. */
#ifdef RT_HAVE_UACCESS_PRIVILEGED
#define rt_compat_user_on  uaccess_enable_privileged
#define rt_compat_user_off uaccess_disable_privileged
#elif defined(RT_HAVE_UACCESS_ENABLE)
#define rt_compat_user_on  uaccess_enable
#define rt_compat_user_off uaccess_disable
#else
static inline void rt_compat_user_on(void)
{
	asm volatile(ALTERNATIVE("nop", SET_PSTATE_PAN(0), ARM64_HAS_PAN, CONFIG_ARM64_PAN));
}

static inline void rt_compat_user_off(void)
{
	asm volatile(ALTERNATIVE("nop", SET_PSTATE_PAN(1), ARM64_HAS_PAN, CONFIG_ARM64_PAN));
}
#endif

/* The same at a user address.  Never faults a page in; returns an error instead. */
static __always_inline int rt_compat_exchange_user(unsigned long address, u32 size, u64 old,
						   u64 new, u64 *there)
{
#ifdef RT_EXCHANGE_FIXUP
	u32 loops = RT_EXCHANGE_LOOPS, fail;
	int err = -EFAULT;
	u64 was = 0;

	address = rt_compat_user_pointer(address);
	if ((unsigned long)((long)(address << 8) >> 8) >= TASK_SIZE)
		return -EFAULT;
	pagefault_disable();
	rt_compat_user_on();
	RT_EXCHANGE_SIZES(RT_EXCHANGE_FIXUP(1b, 4b) RT_EXCHANGE_FIXUP(2b, 4b))
	rt_compat_user_off();
	pagefault_enable();
	*there = was;
	return err;
#else
	return -EOPNOTSUPP;
#endif
}

#define RT_EXCHANGE_PAIR(FIXUPS)                                                                 \
	asm volatile(                                                                            \
		"1:	ldaxp	%[first], %[second], %[at]\n"                                          \
		"	cmp	%[first], %[old0]\n"                                                       \
		"	ccmp	%[second], %[old1], #0, eq\n"                                             \
		"	b.ne	3f\n"                                                                     \
		"2:	stlxp	%w[fail], %[new0], %[new1], %[at]\n"                                   \
		"	cbz	%w[fail], 3f\n"                                                            \
		"	sub	%w[loops], %w[loops], #1\n"                                                \
		"	cbnz	%w[loops], 1b\n"                                                          \
		"	b	4f\n"                                                                        \
		"3:	dmb	ish\n"                                                                   \
		"	mov	%w[err], #0\n"                                                             \
		"4:\n" FIXUPS                                                                    \
		: [first] "=&r"(first), [second] "=&r"(second), [fail] "=&r"(fail),              \
		  [loops] "+r"(loops), [err] "+r"(err), [at] "+Q"(*(u64(*)[2])address)           \
		: [old0] "r"(old[0]), [old1] "r"(old[1]), [new0] "r"(new[0]), [new1] "r"(new[1]) \
		: "memory", "cc")

/* The same for two adjacent 8-byte values in kernel memory. */
static __always_inline int rt_compat_exchange_pair(unsigned long address, const u64 *old,
						   const u64 *new, u64 *there)
{
	u32 loops = RT_EXCHANGE_LOOPS, fail;
	u64 first, second;
	int err = -EAGAIN;

	RT_EXCHANGE_PAIR("");
	there[0] = first;
	there[1] = second;
	return err;
}

/* And in user memory. */
static __always_inline int rt_compat_exchange_pair_user(unsigned long address, const u64 *old,
							const u64 *new, u64 *there)
{
#ifdef RT_EXCHANGE_FIXUP
	u32 loops = RT_EXCHANGE_LOOPS, fail;
	u64 first = 0, second = 0;
	int err = -EFAULT;

	if (address >= TASK_SIZE)
		return -EFAULT;
	pagefault_disable();
	rt_compat_user_on();
	RT_EXCHANGE_PAIR(RT_EXCHANGE_FIXUP(1b, 4b) RT_EXCHANGE_FIXUP(2b, 4b));
	rt_compat_user_off();
	pagefault_enable();
	there[0] = first;
	there[1] = second;
	return err;
#else
	return -EOPNOTSUPP;
#endif
}

#endif
