// SPDX-License-Identifier: GPL-2.0
/* 5.11: 91989c707884 "task_work: cleanup notification modes"; tests the type, exported or not */
#include <linux/sched.h>
#include <linux/task_work.h>

unsigned long rt_probe(typeof(&task_work_add) add, struct callback_head *work);
unsigned long rt_probe(typeof(&task_work_add) add, struct callback_head *work)
{
	return add(current, work, TWA_RESUME);
}
