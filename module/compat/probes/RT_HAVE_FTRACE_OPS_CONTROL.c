// SPDX-License-Identifier: GPL-2.0
/*
 * Until 4.4, together with what no probe can see: when ftrace calls a kprobe as the only listener at a
 * function, preemption is disabled once on the way (3.10, 4.4) or not at all (3.18), not twice.
 */
#include <linux/ftrace.h>

int rt_probe(void);
int rt_probe(void)
{
	return FTRACE_OPS_FL_CONTROL;
}
