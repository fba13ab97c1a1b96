// SPDX-License-Identifier: GPL-2.0
/* 5.18: 4f554e955614 "ftrace: Add ftrace_set_filter_ips function" */
#include <linux/ftrace.h>

int rt_probe(struct ftrace_ops *ops, unsigned long *ips, unsigned int count);
int rt_probe(struct ftrace_ops *ops, unsigned long *ips, unsigned int count)
{
	return ftrace_set_filter_ips(ops, ips, count, 0, 1);
}
