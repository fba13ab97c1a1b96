// SPDX-License-Identifier: GPL-2.0
/*
 * 4.6: d02bd27bd33d "mm/page_alloc.c: calculate 'available' memory in a separate function"
 * The 3.10 of RHEL 7 has it, too.
 */
#include <linux/mm.h>

long rt_probe(void);
long rt_probe(void)
{
	return si_mem_available();
}
