// SPDX-License-Identifier: GPL-2.0
/* 5.10, x86: thread.virtual_dr6, and a step of a kprobe no longer hides what a debug register reports */
#include <linux/sched.h>
#include <asm/processor.h>

unsigned long rt_probe(const struct task_struct *task);
unsigned long rt_probe(const struct task_struct *task)
{
	return task->thread.virtual_dr6;
}
