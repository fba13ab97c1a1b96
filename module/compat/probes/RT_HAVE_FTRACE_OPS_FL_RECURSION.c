// SPDX-License-Identifier: GPL-2.0
/* a25d036d939a "ftrace: Reverse what the RECURSION flag means in the ftrace_ops", 5.11; the replacement needs the older layout. */
#include <linux/ftrace.h>

unsigned long rt_probe(void);
unsigned long rt_probe(void)
{
	return FTRACE_OPS_FL_RECURSION;
}
