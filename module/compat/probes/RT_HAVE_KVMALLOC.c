// SPDX-License-Identifier: GPL-2.0
/* 4.12: the family of kvmalloc() */
#include <linux/mm.h>

void *rt_probe(size_t size, int node);
void *rt_probe(size_t size, int node)
{
	return kvzalloc_node(size, GFP_KERNEL, node);
}
