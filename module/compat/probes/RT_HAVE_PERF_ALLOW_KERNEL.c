// SPDX-License-Identifier: GPL-2.0
/* 6.17: perf_allow_kernel() takes no argument any more.  It is exported since 6.12. */
#include <linux/perf_event.h>

int rt_probe(void);
int rt_probe(void)
{
	return perf_allow_kernel();
}
