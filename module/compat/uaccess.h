/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_UACCESS_H
#define RT_COMPAT_UACCESS_H

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#ifndef RT_HAVE_COPY_STRUCT_FROM_USER
static inline int rt_compat_copy_struct_from_user(void *to, size_t size, const void __user *from,
						  size_t callers)
{
	size_t known = min(size, callers);
	size_t i;

	/* A byte at a time: the tail is a few words, and only a newer program has one. */
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

/* The same under the names they had. */
#ifdef RT_HAVE_PROBE_KERNEL_READ
#define copy_from_kernel_nofault probe_kernel_read
#endif
#ifdef RT_HAVE_PROBE_USER_READ
#define copy_from_user_nofault probe_user_read
#endif

/* Where user memory ends for any task: arm64 has no name for it before 5.11. */
#ifndef TASK_SIZE_MAX
#define TASK_SIZE_MAX TASK_SIZE_64
#endif

/*
 * A number at a kernel address, which is known to be one; false if it cannot be read.  The
 * kernel's own way, without its call and its checks, where it has one that can be inlined.
 * Page faults need not be disabled: none is ever served at a kernel address.
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

#endif
