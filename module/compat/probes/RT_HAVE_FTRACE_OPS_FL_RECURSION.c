// SPDX-License-Identifier: GPL-2.0
/*
 * 5.11: a25d036d939a "ftrace: Reverse what the RECURSION flag means in the ftrace_ops".
 * The replacement needs the older layout of the flags.
 */
#include <linux/ftrace.h>

unsigned long rt_probe(void);
unsigned long rt_probe(void)
{
	return FTRACE_OPS_FL_RECURSION;
}
