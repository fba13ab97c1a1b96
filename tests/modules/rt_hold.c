// SPDX-License-Identifier: GPL-2.0
/*
 * rt_hold - hold the mmap lock of a process, as a page fault does that waits for a file.
 *
 * Write a pid to /proc/rt_hold: the write holds the lock until its task is killed.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>

#include "compat/mm.h"
#include "compat/proc_fs.h"
#include "rt_line.h"

static struct mm_struct *mm_of(pid_t number)
{
	struct task_struct *task;
	struct mm_struct *mm;
	struct pid *pid = find_get_pid(number);

	if (!pid)
		return NULL;
	task = get_pid_task(pid, PIDTYPE_PID);
	put_pid(pid);
	if (!task)
		return NULL;
	mm = get_task_mm(task);
	put_task_struct(task);
	return mm;
}

static ssize_t hold_write(struct file *file, const char __user *user, size_t size, loff_t *at)
{
	struct rt_line line;
	struct mm_struct *mm;
	long number;
	int err = rt_line_take(&line, user, size);

	if (err)
		return err;
	err = kstrtol(line.word, 0, &number);
	if (err)
		return err;
	mm = mm_of(number);
	if (!mm)
		return -ESRCH;
	mmap_read_lock(mm);
	while (!fatal_signal_pending(current))
		msleep_interruptible(1000);
	mmap_read_unlock(mm);
	mmput(mm);
	return -EINTR;
}

static const struct proc_ops hold_ops = { .proc_write = hold_write };

static int __init hold_init(void)
{
	return proc_create("rt_hold", 0600, NULL, &hold_ops) ? 0 : -ENOMEM;
}

static void __exit hold_exit(void)
{
	remove_proc_entry("rt_hold", NULL);
}

module_init(hold_init);
module_exit(hold_exit);
MODULE_LICENSE("GPL");
