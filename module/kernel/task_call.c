// SPDX-License-Identifier: GPL-2.0
#include "task_call.h"

#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/wait.h>

#include <uapi/ringtail.h>

#include "compat/task_work.h"
#include "lookup.h"

static typeof(&task_work_add) add_work __read_mostly;

/* The calls that were sent and have not ended; the wait queue is for rt_task_calls_wait(). */
static atomic_t under_way = ATOMIC_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(all_done);

static void run_one(struct rt_task_call *call)
{
	call->run(call);
	/* run() has taken over the struct: do not use it any more. */
	if (atomic_dec_and_test(&under_way))
		wake_up_all(&all_done);
}

static void run_in_task(struct callback_head *head)
{
	run_one(container_of(head, struct rt_task_call, head));
}

static void run_in_worker(struct work_struct *work)
{
	run_one(container_of(work, struct rt_task_call, work));
}

bool rt_task_calls_work(void)
{
	return add_work;
}

bool rt_task_call(struct task_struct *task, struct rt_task_call *call,
		  void (*run)(struct rt_task_call *call))
{
	if (!add_work)
		return false;
	call->run = run;
	init_task_work(&call->head, run_in_task);
	atomic_inc(&under_way);
	if (!add_work(task, &call->head, TWA_RESUME))
		return true;
	/* No wake-up: a caller that waits has first made sure that nobody sends calls. */
	atomic_dec(&under_way);
	return false;
}

void rt_worker_call(struct rt_task_call *call, void (*run)(struct rt_task_call *call))
{
	call->run = run;
	INIT_WORK(&call->work, run_in_worker);
	atomic_inc(&under_way);
	schedule_work(&call->work);
}

void rt_task_calls_wait(void)
{
	wait_event(all_done, !atomic_read(&under_way));
	/* The last call may have been preempted just before it leaves our code. */
	synchronize_rcu_tasks();
}

void rt_task_call_init(void)
{
	if (!RT_COMPAT_TASK_WORK_ENDS)
		return;
	add_work = (void *)rt_lookup_address(RT_LOOKUP_TASK_WORK);
	if (!add_work)
		add_work = rt_compat_task_work_add;
}
