/* SPDX-License-Identifier: GPL-2.0 */
/*
 * task_call.h - calls that wait for a place where one may sleep: in a task on its way to
 * user space, before it runs any more code of its own, or in a worker.
 */
#ifndef RT_TASK_CALL_H
#define RT_TASK_CALL_H

#include <linux/types.h>
#include <linux/workqueue.h>

struct task_struct;

/* The caller's, from the moment it is sent until run() gives it back. */
struct rt_task_call {
	union {
		struct callback_head head;
		struct work_struct work;
	};
	void (*run)(struct rt_task_call *call);
};

/* After rt_lookup_init(). */
void rt_task_call_init(void);

/* Any context but NMI.  False: the task has ended, or this kernel has no way; nothing was sent. */
bool rt_task_call(struct task_struct *task, struct rt_task_call *call,
		  void (*run)(struct rt_task_call *call));

/* A little later, in a worker. */
void rt_worker_call(struct rt_task_call *call, void (*run)(struct rt_task_call *call));

/* Nobody sends any more: until the last call has left our code. */
void rt_task_calls_wait(void);

#endif
