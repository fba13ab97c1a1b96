// SPDX-License-Identifier: GPL-2.0
/*
 * rt_trace - a module with tracepoints, for tests that load and unload it while they record.
 *
 * Its init function passes rt_trace:rt_trace_number once with -1, its exit function once with -2.
 * Write to /proc/rt_trace:
 *
 *	number N	rt_trace:rt_trace_number, with 0 … N-1
 *	bytes N		rt_trace:rt_trace_bytes, with 1 … N bytes
 *
 * With fail=1 the init function fails after it has passed the tracepoint.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

#define CREATE_TRACE_POINTS
#include "rt_trace.h"

#include "compat/proc_fs.h"
#include "rt_line.h"

static bool fail;
module_param(fail, bool, 0);
MODULE_PARM_DESC(fail, "fail at the end of the init function");

static ssize_t points_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	struct rt_line line;
	int err = rt_line_take(&line, user, size);
	long i;

	if (err)
		return err;
	if (!strcmp(line.word, "number"))
		for (i = 0; i < line.number; i++)
			trace_rt_trace_number(i);
	else if (!strcmp(line.word, "bytes"))
		for (i = 1; i <= line.number; i++)
			trace_rt_trace_bytes(i);
	else
		return -EINVAL;
	return size;
}

static const struct proc_ops points_ops = { .proc_write = points_write };

static int __init points_init(void)
{
	trace_rt_trace_number(-1);
	if (fail)
		return -ENODEV;
	return proc_create("rt_trace", 0600, NULL, &points_ops) ? 0 : -ENOMEM;
}

static void __exit points_exit(void)
{
	remove_proc_entry("rt_trace", NULL);
	trace_rt_trace_number(-2);
}

module_init(points_init);
module_exit(points_exit);
MODULE_LICENSE("GPL");
