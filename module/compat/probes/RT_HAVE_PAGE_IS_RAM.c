// SPDX-License-Identifier: GPL-2.0
/* Not exported by 3.10, exported by 3.18. */
#include <linux/mm.h>

int rt_probe(unsigned long pfn);
int rt_probe(unsigned long pfn)
{
	return page_is_ram(pfn);
}
