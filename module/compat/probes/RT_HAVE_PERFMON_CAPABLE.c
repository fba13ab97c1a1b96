// SPDX-License-Identifier: GPL-2.0
/* 5.8: 980737282232 "capabilities: Introduce CAP_PERFMON to kernel and user space" */
#include <linux/capability.h>

bool rt_probe(void);
bool rt_probe(void)
{
	return perfmon_capable();
}
