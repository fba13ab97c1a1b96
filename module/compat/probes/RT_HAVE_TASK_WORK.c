// SPDX-License-Identifier: GPL-2.0
/* 5.11: 91989c707884 "task_work: cleanup notification modes"; only some distributions export it */
#include <linux/sched.h>
#include <linux/task_work.h>

int rt_probe(struct task_struct *task, struct callback_head *work);
int rt_probe(struct task_struct *task, struct callback_head *work)
{
	return task_work_add(task, work, TWA_RESUME);
}
