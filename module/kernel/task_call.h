/* SPDX-License-Identifier: GPL-2.0 */
/*
 * task_call.h - calls deferred to a context that may sleep: a task on its way to user space, before it
 * runs any more user code, or a worker.
 */
#ifndef RT_TASK_CALL_H
#define RT_TASK_CALL_H

#include <linux/types.h>
#include <linux/workqueue.h>

struct task_struct;

/* Belongs to this file from the moment it is sent until run() is called. */
struct rt_task_call {
	union {
		struct callback_head head;
		struct work_struct work;
	};
	void (*run)(struct rt_task_call *call);
};

/* After rt_lookup_init(). */
void rt_task_call_init(void);

/* Whether this kernel lets the module send calls to tasks, not only to workers. */
bool rt_task_calls_work(void);

/* Any context but NMI.  False: the task has ended, or this kernel cannot do it; nothing was sent. */
bool rt_task_call(struct task_struct *task, struct rt_task_call *call,
		  void (*run)(struct rt_task_call *call));

/* A little later, in a worker. */
void rt_worker_call(struct rt_task_call *call, void (*run)(struct rt_task_call *call));

/* Wait until the last call has left the module's code.  Nobody may send another one. */
void rt_task_calls_wait(void);

#endif
