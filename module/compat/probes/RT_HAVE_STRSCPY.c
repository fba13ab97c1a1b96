// SPDX-License-Identifier: GPL-2.0
/* 4.3: 30035e45753b "string: provide strscpy()" */
#include <linux/string.h>

ssize_t rt_probe(char *to, const char *from);
ssize_t rt_probe(char *to, const char *from)
{
	return strscpy(to, from, 16);
}
