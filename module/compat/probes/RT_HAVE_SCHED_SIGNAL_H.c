// SPDX-License-Identifier: GPL-2.0
/* 4.11: c3edc4010e9d "sched/headers: Move task_struct::signal and task_struct::sighand types and accessors into <linux/sched/signal.h>" */
#include <linux/sched/signal.h>

unsigned long rt_probe(void);
unsigned long rt_probe(void)
{
	return sizeof(struct signal_struct);
}
