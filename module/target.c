// SPDX-License-Identifier: GPL-2.0
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "target.h"
#include "tracepoint.h"

/* --- the table of tasks ---------------------------------------------------------- */

static u32 place(u32 tid, u32 step)
{
	return (hash_32(tid, 32) + step) & (RT_TASKS_MAX - 1);
}

bool rt_target_has_task(const struct rt_targets *targets, u32 tid)
{
	u32 step, seen;

	for (step = 0; step < RT_TASKS_MAX; step++) {
		seen = READ_ONCE(targets->tasks[place(tid, step)]);
		/* First: the idle task's id is what a free place holds. */
		if (!seen)
			return false;
		if (seen == tid)
			return true;
	}
	return false;
}
NOKPROBE_SYMBOL(rt_target_has_task);

static void insert(struct rt_targets *targets, u32 tid)
{
	u32 step, seen, *at;

	if (!tid || rt_target_has_task(targets, tid))
		return;
	for (step = 0; step < RT_TASKS_MAX; step++) {
		at = &targets->tasks[place(tid, step)];
		seen = READ_ONCE(*at);
		if ((!seen || seen == RT_TASK_GONE) && cmpxchg(at, seen, tid) == seen)
			return;
	}
	/* Losing a task is better than failing somebody's fork. */
	targets->overflow++;
}

static void drop(struct rt_targets *targets, u32 tid)
{
	u32 step, seen, *at;

	for (step = 0; step < RT_TASKS_MAX; step++) {
		at = &targets->tasks[place(tid, step)];
		seen = READ_ONCE(*at);
		if (!seen)
			return;
		if (seen == tid) {
			/* A thread is freed once, and nobody else touches its place. */
			WRITE_ONCE(*at, RT_TASK_GONE);
			return;
		}
	}
}

/* --- following forks ------------------------------------------------------------- */

/*
 * Sessions whose targets follow forks.  The list is read by the tracepoints under RCU;
 * it changes under the lock, as do the tracepoints' registrations.
 */
static DEFINE_MUTEX(followers_lock);
static LIST_HEAD(followers);

static void on_fork(void *unused, struct task_struct *parent, struct task_struct *child)
{
	struct rt_targets *targets;

	list_for_each_entry_rcu(targets, &followers, link)
		if ((targets->inherit || child->tgid == parent->tgid) &&
		    rt_target_has_task(targets, parent->pid))
			insert(targets, child->pid);
}

/* When the task is really gone: what it does while it exits is still recorded. */
static void on_free(void *unused, struct task_struct *task)
{
	struct rt_targets *targets;

	list_for_each_entry_rcu(targets, &followers, link)
		drop(targets, task->pid);
}

static struct rt_hook hooks[] = {
	{ "sched_process_fork", on_fork },
	{ "sched_process_free", on_free },
};

static int follow(struct rt_targets *targets)
{
	int err = 0;

	mutex_lock(&followers_lock);
	if (list_empty(&followers))
		err = rt_hooks_register(hooks, ARRAY_SIZE(hooks));
	if (!err)
		list_add_rcu(&targets->link, &followers);
	mutex_unlock(&followers_lock);
	return err;
}

static void unfollow(struct rt_targets *targets)
{
	mutex_lock(&followers_lock);
	list_del_rcu(&targets->link);
	if (list_empty(&followers))
		rt_hooks_unregister(hooks, ARRAY_SIZE(hooks));
	mutex_unlock(&followers_lock);
	/* Nobody looks at the table any more. */
	tracepoint_synchronize_unregister();
}

/* --- control --------------------------------------------------------------------- */

static int add_tasks(struct rt_targets *targets, u32 id, bool whole_process)
{
	struct task_struct *task, *thread;
	int err = 0;

	if (!targets->tasks) {
		u32 *table = kvcalloc(RT_TASKS_MAX, sizeof(*table), GFP_KERNEL_ACCOUNT);

		if (!table)
			return -ENOMEM;
		targets->tasks = table;
		/* First the hook, then the census: whoever is born in between is seen twice. */
		err = follow(targets);
		if (err) {
			targets->tasks = NULL;
			kvfree(table);
			return err;
		}
	}
	rcu_read_lock();
	task = pid_task(find_vpid(id), PIDTYPE_PID);
	if (!task)
		err = -ESRCH;
	else if (!whole_process)
		insert(targets, task->pid);
	else
		for_each_thread(task, thread) insert(targets, thread->pid);
	rcu_read_unlock();
	return err;
}

int rt_target_add(struct rt_targets *targets, const struct rt_target *add,
		  struct rt_refusal *refusal)
{
	int err = 0;

	refusal->field = offsetof(struct rt_target, value);
	switch (add->what) {
	case RT_TARGET_CPU:
		if (add->value >= nr_cpu_ids || !cpu_possible(add->value))
			err = -EINVAL;
		else
			cpumask_set_cpu(add->value, &targets->cpus);
		targets->by_cpu |= !err;
		break;
	case RT_TARGET_TASK:
	case RT_TARGET_PROCESS:
		err = add->value > PID_MAX_LIMIT ?
			      -ESRCH :
			      add_tasks(targets, add->value, add->what == RT_TARGET_PROCESS);
		break;
	case RT_TARGET_INHERIT:
		targets->inherit = add->value;
		return 0;
	case RT_TARGET_NOT_AGENT:
		targets->agent = add->value;
		break;
	default:
		refusal->field = offsetof(struct rt_target, what);
		err = -EINVAL;
	}
	if (err)
		refusal->reason = RT_REFUSED_TARGET;
	else
		targets->any = true;
	return err;
}

void rt_target_init(struct rt_targets *targets)
{
	INIT_LIST_HEAD(&targets->link);
}

void rt_target_free(struct rt_targets *targets)
{
	if (!targets->tasks)
		return;
	unfollow(targets);
	kvfree(targets->tasks);
}
