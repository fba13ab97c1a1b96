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

#endif
