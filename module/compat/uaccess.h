/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_UACCESS_H
#define RT_COMPAT_UACCESS_H

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#ifndef RT_HAVE_COPY_STRUCT_FROM_USER
static inline int rt_compat_copy_struct_from_user(void *to, size_t size, const void __user *from,
						  size_t callers)
{
	size_t known = min(size, callers);
	size_t i;

	/* Byte by byte is fast enough: only newer programs have a tail, of a few words. */
	for (i = known; i < callers; i++) {
		char tail;

		if (get_user(tail, (const char __user *)from + i))
			return -EFAULT;
		if (tail)
			return -E2BIG;
	}
	memset((char *)to + known, 0, size - known);
	return copy_from_user(to, from, known) ? -EFAULT : 0;
}
#undef copy_struct_from_user
#define copy_struct_from_user rt_compat_copy_struct_from_user
#endif

/* The same functions under their old names. */
#ifdef RT_HAVE_PROBE_KERNEL_READ
#define copy_from_kernel_nofault probe_kernel_read
#endif
#ifdef RT_HAVE_PROBE_USER_READ
#define copy_from_user_nofault probe_user_read
#endif

/* `access_ok()`, which had a third argument. */
#ifdef RT_HAVE_ACCESS_OK_TWO
#define rt_compat_access_ok(at, size) access_ok(at, size)
#else
#define rt_compat_access_ok(at, size) access_ok(VERIFY_READ, at, size)
#endif

/*
 * Around reads of user memory in a handler.  When a page fault comes inside the handler of a software event
 * and page faults are recorded, 3.10 leaves preemption disabled once more: __perf_sw_event() returns without
 * enabling it.  Later page faults of the task then look like faults in atomic context and kill it.
 */
#if defined(CONFIG_PREEMPT_COUNT) && !defined(RT_HAVE_COPY_FROM_USER_NOFAULT) && \
	!defined(RT_HAVE_PROBE_USER_READ)
static __always_inline u32 rt_compat_faults_off(void)
{
	u32 count = preempt_count();

	pagefault_disable();
	return count;
}

static __always_inline void rt_compat_faults_on(u32 count)
{
	pagefault_enable();
	while (unlikely((u32)preempt_count() > count))
		preempt_enable_notrace();
}
#else
static __always_inline u32 rt_compat_faults_off(void)
{
	pagefault_disable();
	return 0;
}

static __always_inline void rt_compat_faults_on(u32 count)
{
	pagefault_enable();
}
#endif

/* Before 5.3 no function of either name exists. */
#if !defined(RT_HAVE_COPY_FROM_USER_NOFAULT) && !defined(RT_HAVE_PROBE_USER_READ)
static inline long rt_compat_copy_from_user_nofault(void *to, const void __user *from, size_t size)
{
	mm_segment_t limit = get_fs();
	long ret = -EFAULT;
	u32 count;

	/* Otherwise compilers warn about sizes that the kernel's header handles and we never pass. */
	OPTIMIZER_HIDE_VAR(to);
	/* A tracer may run while the kernel has raised the limit to copy from itself. */
	set_fs(USER_DS);
	if (rt_compat_access_ok(from, size)) {
		count = rt_compat_faults_off();
		ret = __copy_from_user_inatomic(to, from, size) ? -EFAULT : 0;
		rt_compat_faults_on(count);
	}
	set_fs(limit);
	return ret;
}
#define copy_from_user_nofault rt_compat_copy_from_user_nofault
#endif

#ifndef u64_to_user_ptr
#define u64_to_user_ptr(number) ((void __user *)(unsigned long)(number))
#endif

/* The end of user memory for any task: arm64 has no name for it before 5.11. */
#ifndef TASK_SIZE_MAX
#define TASK_SIZE_MAX TASK_SIZE_64
#endif

/*
 * Read a number at an address that is known to be a kernel address; false if it cannot be read.
 * Uses the kernel's inline accessor, without a call and its checks, if the kernel has one.  Page
 * faults need not be disabled: the kernel never handles one at a kernel address.
 */
#ifdef __get_kernel_nofault
#define RT_COMPAT_PEEK(type, to, from)                             \
	__label__ fault;                                           \
                                                                   \
	__get_kernel_nofault(to, (const type *)from, type, fault); \
	return true;                                               \
                                                                   \
fault:                                                             \
	return false
#elif defined(CONFIG_ARM64)
/*
 * On these kernels a probe in a function that is called here would enable debug exceptions in the middle of
 * a trap (compat/traps.h), and the read may be of watched memory.
 */
#define RT_COMPAT_PEEK(type, to, from)                         \
	u64 found;                                             \
	int err = -EFAULT;                                     \
                                                               \
	if (sizeof(type) == sizeof(u64))                       \
		RT_COMPAT_LOAD("ldr", "x", found, from, err);  \
	else if (sizeof(type) == sizeof(u32))                  \
		RT_COMPAT_LOAD("ldr", "w", found, from, err);  \
	else if (sizeof(type) == sizeof(u16))                  \
		RT_COMPAT_LOAD("ldrh", "w", found, from, err); \
	else                                                   \
		RT_COMPAT_LOAD("ldrb", "w", found, from, err); \
	*(to) = found;                                         \
	return !err

/* clang-format would treat %w as an operator. */
/* clang-format off */
#define RT_COMPAT_LOAD(LOAD, WIDTH, found, from, err)                              \
	asm volatile("1:	" LOAD " %" WIDTH "[value], [%[at]]\n"               \
		     "	mov	%w[fault], #0\n"                                  \
		     "2:\n" _ASM_EXTABLE(1b, 2b)                                   \
		     : [value] "=&r"(found), [fault] "+r"(err)                     \
		     : [at] "r"(from)                                              \
		     : "memory")
/* clang-format on */
#else
#define RT_COMPAT_PEEK(type, to, from) \
	return !copy_from_kernel_nofault(to, (const void *)from, sizeof(type))
#endif

static __always_inline bool rt_compat_peek_u64(u64 *to, unsigned long from)
{
	RT_COMPAT_PEEK(u64, to, from);
}

static __always_inline bool rt_compat_peek_u32(u32 *to, unsigned long from)
{
	RT_COMPAT_PEEK(u32, to, from);
}

static __always_inline bool rt_compat_peek_u16(u16 *to, unsigned long from)
{
	RT_COMPAT_PEEK(u16, to, from);
}

static __always_inline bool rt_compat_peek_u8(u8 *to, unsigned long from)
{
	RT_COMPAT_PEEK(u8, to, from);
}

#endif
