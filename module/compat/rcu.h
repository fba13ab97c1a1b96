/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_RCU_H
#define RT_COMPAT_RCU_H

#include <linux/rcupdate.h>
#include <linux/workqueue.h>

/*
 * Handlers run with preemption disabled, often without rcu_read_lock().  Before 4.20, on preemptible
 * kernels, only synchronize_sched() waits for such sections.
 */
#ifdef RT_HAVE_SYNCHRONIZE_SCHED
static inline void rt_compat_synchronize_rcu(void)
{
	synchronize_sched();
	synchronize_rcu();
}
#define synchronize_rcu rt_compat_synchronize_rcu
#endif

/*
 * Without RCU-tasks nothing proves that a task has left code in which it may have been preempted.
 * Where the kernel preempts nothing, waiting for sections with preemption off is enough.  On
 * preemptible kernels only workers run such code (compat/task_work.h).
 */
#ifndef RT_HAVE_SYNCHRONIZE_RCU_TASKS
static inline void rt_compat_synchronize_rcu_tasks(void)
{
	synchronize_rcu();
	flush_scheduled_work();
}
#undef synchronize_rcu_tasks
#define synchronize_rcu_tasks rt_compat_synchronize_rcu_tasks
#endif

#endif
