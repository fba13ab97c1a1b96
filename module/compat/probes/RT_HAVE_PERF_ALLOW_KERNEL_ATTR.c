// SPDX-License-Identifier: GPL-2.0
/* 6.12: perf_allow_kernel() is exported. */
#include <linux/perf_event.h>

int rt_probe(struct perf_event_attr *attr);
int rt_probe(struct perf_event_attr *attr)
{
	return perf_allow_kernel(attr);
}
