/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On older kernels task_work_add() takes a bool instead of a mode: whether to notify the task.
 *
 * Included by its one user, not by compat.h.
 */
#ifndef RT_COMPAT_TASK_WORK_H
#define RT_COMPAT_TASK_WORK_H

#include <linux/task_work.h>

#ifndef RT_HAVE_TASK_WORK_MODES
#define TWA_RESUME 1
#endif

/*
 * Not every kernel exports it.  A preemptible kernel without RCU-tasks cannot tell when a task has left
 * our function: compat/rcu.h.
 */
#if !defined(RT_HAVE_SYNCHRONIZE_RCU_TASKS) && defined(CONFIG_PREEMPT)
#define RT_COMPAT_TASK_WORK_ENDS false
#else
#define RT_COMPAT_TASK_WORK_ENDS true
#endif

#ifdef RT_HAVE_TASK_WORK
#define rt_compat_task_work_add (&task_work_add)
#else
#define rt_compat_task_work_add ((typeof(&task_work_add))NULL)
#endif

#endif
