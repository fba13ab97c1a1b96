// SPDX-License-Identifier: GPL-2.0
/* 6.12: 1e4c64b71c9b "mm/memblock: Add reserve_mem to reserved named memory at boot up" */
#include <linux/mm.h>

int rt_probe(const char *name);
int rt_probe(const char *name)
{
	phys_addr_t start, size;

	return reserve_mem_find_by_name(name, &start, &size);
}
