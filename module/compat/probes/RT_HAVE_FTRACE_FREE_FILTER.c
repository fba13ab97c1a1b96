// SPDX-License-Identifier: GPL-2.0
/* 8be9fbd5345d "ftrace: Export ftrace_free_filter() to modules", 6.2 */
#include <linux/ftrace.h>

void rt_probe(struct ftrace_ops *ops);
void rt_probe(struct ftrace_ops *ops)
{
	ftrace_free_filter(ops);
}
