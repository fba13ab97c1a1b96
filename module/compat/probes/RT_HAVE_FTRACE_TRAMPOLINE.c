// SPDX-License-Identifier: GPL-2.0
/* 3.17: an ftrace_ops may have a trampoline of its own, whose size is known from 3.18 on */
#include <linux/ftrace.h>

unsigned long rt_probe(const struct ftrace_ops *ops);
unsigned long rt_probe(const struct ftrace_ops *ops)
{
	return ops->trampoline + ops->trampoline_size;
}
