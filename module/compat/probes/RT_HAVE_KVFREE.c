// SPDX-License-Identifier: GPL-2.0
/* 3.15: kvfree() */
#include <linux/mm.h>
#include <linux/slab.h>

void rt_probe(void *memory);
void rt_probe(void *memory)
{
	kvfree(memory);
}
