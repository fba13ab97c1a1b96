// SPDX-License-Identifier: GPL-2.0
/*
 * watch_task.c - user addresses: watched in the tasks a session is restricted to, in the
 * threads they start, and in their children.
 *
 * The kernel could pass the watch on by itself, but if it cannot, it fails the fork.  So
 * a newborn task gets it from us: by a call in its own context before its first
 * instruction or, where that cannot be had, a little later by a worker.  What fails costs
 * us a watch, and is counted.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "event.h"
#include "session.h"
#include "target.h"
#include "task_call.h"
#include "tracepoint.h"
#include "watch.h"

/* Tasks that one watch follows at most; ended ones make room. */
#define TASKS_MAX 8192

/* --- one task -------------------------------------------------------------------- */

/* Handles of tasks that have ended are of no use any more. */
static void sweep(struct rt_watch *watch)
{
	u32 i, kept = 0;

	for (i = 0; i < watch->count; i++) {
		void *handle = watch->handles[i];

		watch->handles[i] = NULL;
		if (!rt_watch_backend->gone(handle)) {
			watch->handles[kept++] = handle;
			continue;
		}
		watch->counted += rt_watch_backend->counted(handle);
		rt_watch_backend->detach(&handle, 1);
	}
	watch->count = kept;
}

static int make_room(struct rt_watch *watch)
{
	u32 room = max(16U, 2 * watch->room);
	void **bigger;

	if (watch->count < watch->room)
		return 0;
	sweep(watch);
	if (watch->count < watch->room / 2)
		return 0;
	if (room > TASKS_MAX)
		return -E2BIG;
	bigger = kvcalloc(room, sizeof(*bigger), GFP_KERNEL_ACCOUNT);
	if (!bigger)
		return -ENOMEM;
	memcpy(bigger, watch->handles, watch->count * sizeof(*bigger));
	kvfree(watch->handles);
	watch->handles = bigger;
	watch->room = room;
	return 0;
}

static int attach(struct rt_watch *watch, struct task_struct *task, bool enable)
{
	void *handle;
	int err;
	u32 i;

	/* Born between hook and census, it is found by both. */
	for (i = 0; i < watch->count; i++)
		if (rt_watch_backend->serves(watch->handles[i], task))
			return 0;

	err = make_room(watch);
	if (err)
		return err;
	handle = rt_watch_backend->attach(watch, -1, task);
	if (IS_ERR(handle))
		/* It has ended already: nothing is missed. */
		return PTR_ERR(handle) == -ESRCH ? 0 : PTR_ERR(handle);
	watch->handles[watch->count++] = handle;
	if (enable)
		rt_watch_backend->enable(handle);
	return 0;
}

/* --- the newborn ----------------------------------------------------------------- */

struct newborn {
	union {
		struct rt_task_call call;
		struct newborn *next; /* of the spare ones */
	};
	struct task_struct *task;
};

/*
 * The hook runs with preemption off, where a kernel made for real time cannot allocate: they
 * are all made beforehand.  Each is in use from the fork to the child's first instruction.
 */
#define NEWBORNS_MAX 1024
static struct newborn *newborn_pool;
static struct newborn *spare_newborns;
static DEFINE_RAW_SPINLOCK(spare_lock);

static struct newborn *take_newborn(void)
{
	struct newborn *newborn;
	unsigned long flags;

	raw_spin_lock_irqsave(&spare_lock, flags);
	newborn = spare_newborns;
	if (newborn)
		spare_newborns = newborn->next;
	raw_spin_unlock_irqrestore(&spare_lock, flags);
	return newborn;
}

static void put_newborn(struct newborn *newborn)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&spare_lock, flags);
	newborn->next = spare_newborns;
	spare_newborns = newborn;
	raw_spin_unlock_irqrestore(&spare_lock, flags);
}

/* They stay until the module goes. */
static int make_newborns(void)
{
	u32 i;

	lockdep_assert_held(&rt_user_watches_lock);
	if (newborn_pool)
		return 0;
	newborn_pool = kvcalloc(NEWBORNS_MAX, sizeof(*newborn_pool), GFP_KERNEL);
	if (!newborn_pool)
		return -ENOMEM;
	for (i = 0; i < NEWBORNS_MAX; i++)
		put_newborn(&newborn_pool[i]);
	return 0;
}

static void take_over(struct rt_task_call *call)
{
	struct newborn *newborn = container_of(call, struct newborn, call);
	struct task_struct *task = newborn->task;
	struct rt_watch *watch;

	mutex_lock(&rt_user_watches_lock);
	list_for_each_entry(watch, &rt_user_watches, link)
		if (watch->armed &&
		    rt_target_has_task(&watch->event->session->targets, task->pid) &&
		    attach(watch, task, true))
			watch->unwatched++;
	mutex_unlock(&rt_user_watches_lock);
	put_task_struct(task);
	put_newborn(newborn);
}

/* User watches that are armed: whether a newborn needs looking at. */
static atomic_t armed = ATOMIC_INIT(0);
static atomic64_t forgotten = ATOMIC64_INIT(0);

/* Runs before the child does; the session's own hook has not necessarily seen it yet. */
static void on_fork(void *unused, struct task_struct *parent, struct task_struct *child)
{
	struct newborn *newborn;

	if (!child->mm)
		return;
	newborn = take_newborn();
	if (!newborn) {
		atomic64_inc(&forgotten);
		return;
	}
	get_task_struct(child);
	newborn->task = child;
	if (!rt_task_call(child, &newborn->call, take_over))
		rt_worker_call(&newborn->call, take_over);
}

static struct rt_hook hooks[] = {
	{ "sched_process_fork", on_fork },
};

/* --- all of a session ------------------------------------------------------------ */

static struct task_struct *task_by_id(u32 tid)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(find_pid_ns(tid, &init_pid_ns), PIDTYPE_PID);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	return task;
}

int rt_watch_tasks_arm(struct rt_watch *watch)
{
	const struct rt_targets *targets = &watch->event->session->targets;
	struct task_struct *task;
	u32 i, tid;
	int err;

	err = make_newborns();
	if (err)
		return err;
	/* First the hook, then the census; attach() knows who is found by both. */
	if (atomic_inc_return(&armed) == 1) {
		err = rt_hooks_register(hooks, ARRAY_SIZE(hooks));
		if (err) {
			atomic_dec(&armed);
			return err;
		}
	}
	for (i = 0; !err && i < RT_TASKS_MAX; i++) {
		tid = READ_ONCE(targets->tasks[i]);
		if (!tid || tid == RT_TASK_GONE)
			continue;
		task = task_by_id(tid);
		if (!task)
			continue;
		err = attach(watch, task, false);
		put_task_struct(task);
	}
	if (err && atomic_dec_and_test(&armed))
		rt_hooks_unregister(hooks, ARRAY_SIZE(hooks));
	return err;
}

void rt_watch_tasks_disarm(struct rt_watch *watch)
{
	watch->unwatched += atomic64_read(&forgotten);
	if (!atomic_dec_and_test(&armed))
		return;
	rt_hooks_unregister(hooks, ARRAY_SIZE(hooks));
	atomic64_set(&forgotten, 0);
}

void rt_watch_tasks_exit(void)
{
	if (!newborn_pool)
		return;
	rt_task_calls_wait();
	kvfree(newborn_pool);
}
