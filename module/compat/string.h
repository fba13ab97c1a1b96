/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_STRING_H
#define RT_COMPAT_STRING_H

#include <linux/errno.h>
#include <linux/string.h>

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

#endif
