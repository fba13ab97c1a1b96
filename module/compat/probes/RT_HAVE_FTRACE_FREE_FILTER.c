// SPDX-License-Identifier: GPL-2.0
/* 6.2: 8be9fbd5345d "ftrace: Export ftrace_free_filter() to modules" */
#include <linux/ftrace.h>

void rt_probe(struct ftrace_ops *ops);
void rt_probe(struct ftrace_ops *ops)
{
	ftrace_free_filter(ops);
}
