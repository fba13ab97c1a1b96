// SPDX-License-Identifier: GPL-2.0
/*
 * 4.19: 2c4704756cab "pids: Move the pgrp and session pid pointers from task_struct to
 * signal_struct"
 * The replacement needs the older layout of struct task_struct.
 */
#include <linux/sched.h>

struct pid *rt_probe(struct task_struct *task);
struct pid *rt_probe(struct task_struct *task)
{
	return task->thread_pid;
}
