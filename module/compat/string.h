/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_STRING_H
#define RT_COMPAT_STRING_H

#include <linux/errno.h>
#include <linux/string.h>

#ifndef RT_HAVE_STRSCPY
static inline ssize_t rt_compat_strscpy(char *to, const char *from, size_t size)
{
	size_t length = strnlen(from, size);

	if (!size)
		return -E2BIG;
	if (length == size) {
		memcpy(to, from, size - 1);
		to[size - 1] = '\0';
		return -E2BIG;
	}
	memcpy(to, from, length + 1);
	return length;
}
#undef strscpy
#define strscpy rt_compat_strscpy
#endif

#endif
