// SPDX-License-Identifier: GPL-2.0
/* 3.14: 0c740d0afc3b "introduce for_each_thread() to replace the buggy while_each_thread()" */
#include <linux/sched.h>

unsigned long rt_probe(void);
unsigned long rt_probe(void)
{
	return offsetof(struct task_struct, thread_node);
}
