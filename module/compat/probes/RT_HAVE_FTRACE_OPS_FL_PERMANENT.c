// SPDX-License-Identifier: GPL-2.0
/* 5.5: 7162431dcf72 "ftrace: Introduce PERMANENT ftrace_ops flag" */
#include <linux/ftrace.h>

unsigned long rt_probe(void);
unsigned long rt_probe(void)
{
	return FTRACE_OPS_FL_PERMANENT;
}
