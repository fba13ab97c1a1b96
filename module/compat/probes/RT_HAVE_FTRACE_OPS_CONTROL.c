// SPDX-License-Identifier: GPL-2.0
/*
 * Until 4.4, together with what no probe can see: ftrace did not disable preemption when it called a
 * kprobe as the only listener at a function.
 */
#include <linux/ftrace.h>

int rt_probe(void);
int rt_probe(void)
{
	return FTRACE_OPS_FL_CONTROL;
}
