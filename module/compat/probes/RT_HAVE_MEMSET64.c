// SPDX-License-Identifier: GPL-2.0
/* 4.14: memset64() */
#include <linux/string.h>

void *rt_probe(u64 *at, u64 value, size_t count);
void *rt_probe(u64 *at, u64 value, size_t count)
{
	return memset64(at, value, count);
}
