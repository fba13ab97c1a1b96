/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_STRING_H
#define RT_COMPAT_STRING_H

#include <linux/errno.h>
#include <linux/string.h>
#include <linux/types.h>

#ifndef RT_HAVE_STRSCPY
static inline ssize_t rt_compat_strscpy(char *to, const char *from, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++) {
		to[i] = from[i];
		if (!to[i])
			return i;
	}
	if (size)
		to[size - 1] = '\0';
	return -E2BIG;
}
#undef strscpy
#define strscpy rt_compat_strscpy
#endif

#ifndef RT_HAVE_MEMSET64
static inline void *rt_compat_memset64(u64 *at, u64 value, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		at[i] = value;
	return at;
}
#undef memset64
#define memset64 rt_compat_memset64
#endif

#endif
