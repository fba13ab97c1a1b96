/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_PID_H
#define RT_COMPAT_PID_H

#include <linux/pid.h>
#include <linux/sched.h>

/* Where a task keeps its own id. */
#ifdef RT_HAVE_TASK_THREAD_PID
#define rt_compat_thread_pid(task) READ_ONCE((task)->thread_pid)
#else
#define rt_compat_thread_pid(task) READ_ONCE((task)->pids[PIDTYPE_PID].pid)
#endif

#endif
