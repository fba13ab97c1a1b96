// SPDX-License-Identifier: GPL-2.0
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "event/event.h"
#include "uprobe_armed.h"
#include "uprobe_hit.h"
#include "uprobe_left.h"
#include "uprobe_worker.h"

/*
 * How long the end of a session waits while the worker makes no step.  What it waits for may wait for the
 * task that closes the file: a page that this task would have provided.
 */
#define PATIENCE (10 * HZ)

struct rt_uprobe_worker {
	struct work_struct work;
	struct list_head probes; /* changes only while the worker is settled */
	bool lenient;		 /* so does this */
	wait_queue_head_t wait;
	unsigned long steps; /* counts what the worker has done; for patience */

	spinlock_t lock;     /* of all below */
	unsigned long asked; /* counts requests */
	unsigned long done;  /* as many of them; what `asked` was when the last pass began */
	void (*end)(void *argument);
	void *argument;
};

static struct workqueue_struct *queue;

/* --- in the worker ----------------------------------------------------------------- */

static void step(void *argument)
{
	struct rt_uprobe_worker *worker = argument;

	WRITE_ONCE(worker->steps, worker->steps + 1);
	cond_resched();
}

static void unregister(struct rt_uprobe_worker *worker)
{
	struct rt_user_probe *probe;
	bool any = false;

	list_for_each_entry(probe, &worker->probes, link) {
		any |= probe->left;
		if (!probe->armed || READ_ONCE(probe->wanted))
			continue;
		rt_compat_uprobe_unregister(probe->armed, probe->inode, probe->offset,
					    &probe->consumer);
		rt_uprobe_armed_del(probe);
		probe->armed = NULL;
		probe->left = true;
		any = true;
		step(worker);
	}
	if (!any)
		return;
	rt_compat_uprobe_sync();
	rt_uprobe_left_remove(&worker->probes, step, worker);
}

static void register_wanted(struct rt_uprobe_worker *worker)
{
	struct rt_compat_uprobe *armed;
	struct rt_user_probe *probe;

	list_for_each_entry(probe, &worker->probes, link) {
		/* Arming tens of thousands takes long: look each time whether the caller has left. */
		if (probe->armed || probe->err || !READ_ONCE(probe->wanted))
			continue;
		/* First, so that nobody takes its breakpoints for ones that are left. */
		rt_uprobe_armed_add(probe);
		armed = rt_compat_uprobe_register(probe->inode, probe->offset, probe->semaphore,
						  &probe->consumer);
		if (IS_ERR(armed)) {
			rt_uprobe_armed_del(probe);
			probe->err = PTR_ERR(armed);
			/* The kernel has taken back what it had done. */
			probe->left = true;
		} else {
			probe->armed = armed;
		}
		if (probe->err && !worker->lenient)
			break;
		step(worker);
	}
}

/*
 * Bring all probes to what is wanted.  A request that comes meanwhile has queued the work again.  The last
 * pass ends the session if its closer has not waited for it; nobody asks any more then.
 */
static void work_run(struct work_struct *work)
{
	struct rt_uprobe_worker *worker = container_of(work, struct rt_uprobe_worker, work);
	void (*end)(void *argument) = NULL;
	unsigned long asked;
	bool settled;

	spin_lock(&worker->lock);
	asked = worker->asked;
	settled = asked == worker->done;
	spin_unlock(&worker->lock);
	/* Settled: the list may change. */
	if (!settled) {
		unregister(worker);
		register_wanted(worker);
	}
	spin_lock(&worker->lock);
	worker->done = asked;
	if (asked == worker->asked && !work_pending(work))
		end = worker->end;
	/* Under the lock: whoever sees that it is done may free the worker, once it has the lock. */
	wake_up_all(&worker->wait);
	spin_unlock(&worker->lock);
	if (end) {
		end(worker->argument);
		kfree(worker);
	}
}

/* --- callers ----------------------------------------------------------------------- */

static unsigned long ask(struct rt_uprobe_worker *worker)
{
	unsigned long request;

	spin_lock(&worker->lock);
	request = ++worker->asked;
	/* Under the lock: work_run() must not see the request before the work is queued. */
	queue_work(queue, &worker->work);
	spin_unlock(&worker->lock);
	return request;
}

static bool is_done(struct rt_uprobe_worker *worker, unsigned long request)
{
	bool done;

	spin_lock(&worker->lock);
	done = (long)(worker->done - request) >= 0;
	spin_unlock(&worker->lock);
	return done;
}

int rt_uprobe_worker_need(struct rt_event_set *set)
{
	struct rt_uprobe_worker *worker;

	if (set->uprobe_worker)
		return 0;
	worker = kzalloc(sizeof(*worker), GFP_KERNEL_ACCOUNT);
	if (!worker)
		return -ENOMEM;
	INIT_WORK(&worker->work, work_run);
	INIT_LIST_HEAD(&worker->probes);
	init_waitqueue_head(&worker->wait);
	spin_lock_init(&worker->lock);
	set->uprobe_worker = worker;
	return 0;
}

int rt_uprobe_worker_arm(struct rt_event_set *set, struct list_head *events)
{
	struct rt_uprobe_worker *worker = set->uprobe_worker;
	struct rt_user_probe *probe;
	struct rt_event *event;
	unsigned long request;

	list_for_each_entry(event, events, link) {
		probe = event->probe;
		probe->err = 0;
		probe->wanted = true;
		if (list_empty(&probe->link))
			list_add_tail(&probe->link, &worker->probes);
	}
	worker->lenient = set->lenient;
	request = ask(worker);
	if (!wait_event_interruptible(worker->wait, is_done(worker, request)))
		return 0;
	rt_uprobe_worker_disarm(set, events);
	return -EINTR;
}

void rt_uprobe_worker_disarm(struct rt_event_set *set, struct list_head *events)
{
	struct rt_uprobe_worker *worker = set->uprobe_worker;
	struct rt_user_probe *probe;
	struct rt_event *event;
	unsigned long request;

	list_for_each_entry(event, events, link) {
		probe = event->probe;
		WRITE_ONCE(probe->wanted, false);
	}
	request = ask(worker);
	/* Killed: the worker goes on alone. */
	if (!set->ending && wait_event_killable(worker->wait, is_done(worker, request)))
		return;
}

int rt_uprobe_worker_settle(struct rt_event_set *set)
{
	struct rt_uprobe_worker *worker = set->uprobe_worker;

	/* Only callers that hold the session's lock ask. */
	return !worker || !wait_event_killable(worker->wait, is_done(worker, worker->asked)) ?
		       0 :
		       -EINTR;
}

static void wait_patiently(struct rt_uprobe_worker *worker)
{
	unsigned long steps;

	do {
		steps = READ_ONCE(worker->steps);
		if (wait_event_timeout(worker->wait, is_done(worker, worker->asked), PATIENCE))
			return;
	} while (READ_ONCE(worker->steps) != steps);
}

bool rt_uprobe_worker_end(struct rt_event_set *set, void (*end)(void *argument), void *argument)
{
	struct rt_uprobe_worker *worker = set->uprobe_worker;
	bool later;

	if (!worker)
		return false;
	wait_patiently(worker);
	spin_lock(&worker->lock);
	later = worker->done != worker->asked;
	if (later) {
		worker->argument = argument;
		worker->end = end;
	}
	spin_unlock(&worker->lock);
	if (later)
		return true;
	/* It may be in its last lines, or about to find that it has nothing to do. */
	cancel_work_sync(&worker->work);
	kfree(worker);
	set->uprobe_worker = NULL;
	return false;
}

/* --- loading ----------------------------------------------------------------------- */

int rt_uprobe_worker_init(void)
{
	queue = alloc_workqueue("ringtail-uprobe", WQ_UNBOUND, WQ_MAX_ACTIVE);
	return queue ? 0 : -ENOMEM;
}

void rt_uprobe_worker_exit(void)
{
	destroy_workqueue(queue);
}
