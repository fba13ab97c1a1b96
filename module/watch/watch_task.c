// SPDX-License-Identifier: GPL-2.0
/*
 * watch_task.c - user addresses: watched in the tasks a session is restricted to, in the threads
 * they start, and in their children.
 *
 * The kernel could let children inherit the watch, but if that fails, it fails the fork.  So the
 * module gives a new task its watch: by a call in the task's own context before its first
 * instruction or, if the kernel has no such call, a little later from a worker.  If that fails, the
 * task runs without the watch, and the module counts it.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/sched.h>

#include "event/event.h"
#include "event/channel.h"
#include "event/target.h"
#include "kernel/task_call.h"
#include "kernel/hook.h"
#include "watch.h"

/* Tasks that one watch follows at most; the sweep frees the entries of ended ones. */
#define TASKS_MAX 8192

/* Sweep after this many tasks were given a watch since the last sweep. */
#define SWEEP_AFTER 64

/* --- handles of tasks that have ended --------------------------------------------- */

/* Handles taken from their watch and about to be freed; only the worker uses this. */
#define SWEEP_ROOM 256
static void *swept[SWEEP_ROOM];

/* Take as many as fit; handles that the census made stay at the front of the array. */
static u32 watch_sweep(struct rt_watch *watch, u32 count)
{
	u32 i, kept = 0, surveyed = 0;

	for (i = 0; i < watch->count; i++) {
		void *handle = watch->handles[i];

		watch->handles[i] = NULL;
		if (count == SWEEP_ROOM || !rt_watch_backend->gone(handle)) {
			surveyed += i < watch->surveyed;
			watch->handles[kept++] = handle;
			continue;
		}
		watch->counted += rt_watch_backend->counted(handle);
		swept[count++] = handle;
	}
	watch->count = kept;
	watch->surveyed = surveyed;
	watch->fresh = 0;
	return count;
}

/* Forks need the lock as well, so do not hold it while freeing handles. */
static void sweep_all(struct work_struct *work)
{
	struct rt_watch *watch;
	u32 count;

	do {
		count = 0;
		mutex_lock(&rt_user_watches_lock);
		list_for_each_entry(watch, &rt_user_watches, link)
			if (watch->armed)
				count = watch_sweep(watch, count);
		mutex_unlock(&rt_user_watches_lock);
		rt_watch_backend->reap(swept, count);
		cond_resched();
	} while (count == SWEEP_ROOM);
}

static DECLARE_WORK(sweeping, sweep_all);

/* --- one task -------------------------------------------------------------------- */

static int make_room(struct rt_watch *watch)
{
	u32 room = max(16U, 2 * watch->room);
	void **bigger;

	if (watch->count < watch->room)
		return 0;
	if (room > TASKS_MAX)
		return -E2BIG;
	bigger = kvcalloc(room, sizeof(*bigger), GFP_KERNEL_ACCOUNT);
	if (!bigger)
		return -ENOMEM;
	if (watch->count)
		memcpy(bigger, watch->handles, watch->count * sizeof(*bigger));
	kvfree(watch->handles);
	watch->handles = bigger;
	watch->room = room;
	return 0;
}

/* Both the hook and the census find a task that was created in between. */
static bool watch_has(const struct rt_watch *watch, const struct task_struct *task, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (rt_watch_backend->serves(watch->handles[i], task))
			return true;
	return false;
}

static int watch_attach(struct rt_watch *watch, struct task_struct *task)
{
	void *handle;
	int err;

	err = make_room(watch);
	if (err)
		return err;
	handle = rt_watch_backend->attach(watch, -1, task);
	if (IS_ERR(handle))
		/* The task has ended already: no access is missed. */
		return PTR_ERR(handle) == -ESRCH ? 0 : PTR_ERR(handle);
	watch->handles[watch->count++] = handle;
	rt_watch_backend->enable(handle);
	return 0;
}

/* --- the newborn ----------------------------------------------------------------- */

struct newborn {
	union {
		struct rt_task_call call;
		struct newborn *next; /* in the list of spare ones */
	};
	struct task_struct *task;
};

/*
 * The hook runs with preemption off, and a PREEMPT_RT kernel cannot allocate there.  So all of them
 * are allocated in advance.  Each is in use from the fork to the child's first instruction.
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

/* They stay allocated until the module is unloaded. */
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

/* A new task.  During the census, it must recognise all tasks that the census has found so far. */
static int watch_attach_newborn(struct rt_watch *watch, struct task_struct *task)
{
	if (watch_has(watch, task, watch->surveying ? watch->count : watch->surveyed))
		return 0;
	watch->born += watch->surveying;
	return watch_attach(watch, task);
}

static bool watch_follows(const struct rt_watch *watch, const struct task_struct *task)
{
	return rt_target_has_task(&watch->event->channel->targets, task->pid);
}

static void watch_take_over(struct rt_task_call *call)
{
	struct newborn *newborn = container_of(call, struct newborn, call);
	struct task_struct *task = newborn->task;
	struct rt_watch *watch;

	mutex_lock(&rt_user_watches_lock);
	list_for_each_entry(watch, &rt_user_watches, link) {
		if (!watch->armed || !watch_follows(watch, task))
			continue;
		/*
		 * Without calls to tasks this is a worker, and the task may have run already.  With them, a
		 * worker has only tasks that end before they run.
		 */
		if (watch_attach_newborn(watch, task) || !rt_task_calls_work())
			watch->unwatched++;
		if (++watch->fresh >= SWEEP_AFTER)
			schedule_work(&sweeping);
	}
	mutex_unlock(&rt_user_watches_lock);
	put_task_struct(task);
	put_newborn(newborn);
}

/*
 * User watches that are armed: read by the hook under RCU.  They have a lock of their own, because to hook
 * and unhook a tracepoint may take grace periods, which forks need not wait for.
 */
static DEFINE_MUTEX(following_lock);
static LIST_HEAD(following);
static atomic64_t forgotten = ATOMIC64_INIT(0);

/* Ignore forks of tasks that no watch follows. */
static bool anybody_follows(const struct task_struct *task)
{
	const struct rt_watch *watch;
	bool found = false;

	rcu_read_lock();
	list_for_each_entry_rcu(watch, &following, following)
		found |= watch_follows(watch, task);
	rcu_read_unlock();
	return found;
}

/* Runs before the child runs, and after the sessions' own hook, which the kernel calls first. */
static void watch_on_fork(void *unused, struct task_struct *parent, struct task_struct *child)
{
	struct newborn *newborn;

	if (!child->mm || !anybody_follows(child))
		return;
	newborn = take_newborn();
	if (!newborn) {
		atomic64_inc(&forgotten);
		return;
	}
	get_task_struct(child);
	newborn->task = child;
	if (!rt_task_call(child, &newborn->call, watch_take_over))
		rt_worker_call(&newborn->call, watch_take_over);
}

static struct rt_hook hooks[] = {
	RT_HOOK(sched_process_fork, watch_on_fork),
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

static int start_following(struct rt_watch *watch)
{
	int err = 0;

	mutex_lock(&following_lock);
	if (list_empty(&following))
		err = rt_hooks_register(hooks, ARRAY_SIZE(hooks));
	if (!err)
		list_add_rcu(&watch->following, &following);
	mutex_unlock(&following_lock);
	return err;
}

/* Returns how many new tasks were forgotten meanwhile. */
static u64 stop_following(struct rt_watch *watch)
{
	u64 lost;

	mutex_lock(&following_lock);
	list_del_rcu(&watch->following);
	lost = atomic64_read(&forgotten);
	if (list_empty(&following)) {
		rt_hooks_unregister(hooks, ARRAY_SIZE(hooks));
		atomic64_set(&forgotten, 0);
	}
	mutex_unlock(&following_lock);
	return lost;
}

/*
 * One task of the census.  The lock is taken for each: a new task of another session waits for it before its
 * first instruction, and there may be thousands of tasks.
 */
static int survey_task(struct rt_watch *watch, u32 tid)
{
	/* The bit of a task that has ended may still be set. */
	struct task_struct *task = task_by_id(tid);
	int err = 0;

	if (!task)
		return 0;
	mutex_lock(&rt_user_watches_lock);
	if (!watch->born || !watch_has(watch, task, watch->count))
		err = watch_attach(watch, task);
	mutex_unlock(&rt_user_watches_lock);
	put_task_struct(task);
	return err;
}

/* From now on, new tasks get the watch, too. */
static int survey_begin(struct rt_watch *watch)
{
	int err;

	mutex_lock(&rt_user_watches_lock);
	err = make_newborns();
	if (!err) {
		watch->armed = true;
		watch->surveying = true;
		watch->born = 0;
	}
	mutex_unlock(&rt_user_watches_lock);
	return err;
}

static void survey_end(struct rt_watch *watch)
{
	mutex_lock(&rt_user_watches_lock);
	watch->surveying = false;
	watch->surveyed = watch->count;
	mutex_unlock(&rt_user_watches_lock);
}

int rt_watch_tasks_arm(struct rt_watch *watch)
{
	const struct rt_targets *targets = &watch->event->channel->targets;
	unsigned long tid;
	int err;

	err = survey_begin(watch);
	if (err)
		return err;
	/* First the hook, then the census; each recognises a task that both find. */
	err = start_following(watch);
	if (err) {
		mutex_lock(&rt_user_watches_lock);
		watch->armed = false;
		mutex_unlock(&rt_user_watches_lock);
		return err;
	}
	for (tid = find_first_bit(targets->tasks, RT_TASKS_MAX); tid < RT_TASKS_MAX && !err;
	     tid = find_next_bit(targets->tasks, RT_TASKS_MAX, tid + 1)) {
		err = survey_task(watch, tid);
		cond_resched();
	}
	survey_end(watch);
	return err;
}

void rt_watch_tasks_disarm(struct rt_watch *watch)
{
	void **handles;
	u32 i, count;
	u64 lost;

	/* Only the owner of the session arms and disarms. */
	if (!READ_ONCE(watch->armed))
		return;
	lost = stop_following(watch);
	mutex_lock(&rt_user_watches_lock);
	watch->armed = false;
	watch->unwatched += lost;
	handles = watch->handles;
	count = watch->count;
	watch->handles = NULL;
	watch->count = watch->room = watch->surveyed = 0;
	mutex_unlock(&rt_user_watches_lock);

	/* This waits for grace periods; without the lock, other sessions' forks do not wait. */
	for (i = 0; i < count; i++) {
		rt_watch_backend->disable(handles[i]);
		cond_resched();
	}
	for (i = 0; i < count; i++)
		watch->counted += rt_watch_backend->counted(handles[i]);
	rt_watch_backend->detach(handles, count);
	kvfree(handles);
}

void rt_watch_tasks_exit(void)
{
	if (!newborn_pool)
		return;
	rt_task_calls_wait();
	cancel_work_sync(&sweeping);
	kvfree(newborn_pool);
}
