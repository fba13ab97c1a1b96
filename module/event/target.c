// SPDX-License-Identifier: GPL-2.0
#include <linux/binfmts.h>
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>
#include <trace/events/task.h>

#include "target.h"
#include "kernel/hook.h"

/* --- following forks ------------------------------------------------------------- */

/*
 * Targets that follow forks.  The tracepoint handlers read the list under RCU; the list and the
 * registration of the tracepoints change under the lock.
 */
static DEFINE_MUTEX(followers_lock);
static LIST_HEAD(followers);

static void target_set(struct rt_targets *targets, u32 tid, bool followed)
{
	/* Most tasks are not targets: do not dirty their cache lines. */
	if (followed == rt_target_has_task(targets, tid))
		return;
	if (followed)
		set_bit(tid, targets->tasks);
	else
		clear_bit(tid, targets->tasks);
}

/*
 * The kernel calls this in the parent whenever it has made a task.  It sets or clears the bit of each
 * new task, so no hook is needed when a task ends: its hits while it exits are still recorded, and the
 * next task with its id passes here again.
 */
static void target_on_newtask(void *unused, struct task_struct *child, rt_compat_clone_flags flags)
{
	struct rt_targets *targets;

	if (!child->pid)
		return; /* an idle task */
	rcu_read_lock();
	list_for_each_entry_rcu(targets, &followers, link)
		target_set(targets, child->pid,
			   (targets->inherit || child->tgid == current->tgid) &&
				   rt_target_has_task(targets, current->pid));
	rcu_read_unlock();
}

/* On exec, a thread that is not the leader of its process takes over the leader's id. */
static void target_on_exec(void *unused, struct task_struct *task, pid_t old_tid,
			   struct linux_binprm *program)
{
	struct rt_targets *targets;

	if (old_tid == task->pid)
		return;
	rcu_read_lock();
	list_for_each_entry_rcu(targets, &followers, link)
		target_set(targets, task->pid, rt_target_has_task(targets, old_tid));
	rcu_read_unlock();
}

static struct rt_hook hooks[] = {
	RT_HOOK(task_newtask, target_on_newtask),
	RT_HOOK(sched_process_exec, target_on_exec),
};

static int target_follow(struct rt_targets *targets)
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

static void target_unfollow(struct rt_targets *targets)
{
	mutex_lock(&followers_lock);
	list_del_rcu(&targets->link);
	if (list_empty(&followers))
		rt_hooks_unregister(hooks, ARRAY_SIZE(hooks));
	mutex_unlock(&followers_lock);
	/* Wait until no handler reads the bitmap of tasks any more. */
	synchronize_rcu();
}

/* --- control --------------------------------------------------------------------- */

static int add_tasks(struct rt_targets *targets, u32 id, bool whole_process)
{
	struct task_struct *task, *thread;
	int err = 0;

	if (!targets->tasks) {
		unsigned long *tasks =
			kvcalloc(BITS_TO_LONGS(RT_TASKS_MAX), sizeof(*tasks), GFP_KERNEL_ACCOUNT);

		if (!tasks)
			return -ENOMEM;
		targets->tasks = tasks;
		/* First the hook, then the list of threads: both may find a task. */
		err = target_follow(targets);
		if (err) {
			targets->tasks = NULL;
			kvfree(tasks);
			return err;
		}
	}
	rcu_read_lock();
	task = pid_task(find_vpid(id), PIDTYPE_PID);
	if (!task)
		err = -ESRCH;
	else if (!whole_process)
		target_set(targets, task->pid, true);
	else
		for_each_thread(task, thread) target_set(targets, thread->pid, true);
	rcu_read_unlock();
	return err;
}

/* ID is in the caller's pid namespace; handlers compare the kernel's own id. */
static int leave_out(struct rt_targets *targets, u64 id)
{
	struct task_struct *task;

	rcu_read_lock();
	task = id > PID_MAX_LIMIT ? NULL : pid_task(find_vpid(id), PIDTYPE_PID);
	if (task)
		targets->agent = task->tgid;
	rcu_read_unlock();
	return task ? 0 : -ESRCH;
}

static int choose_cgroup(struct rt_targets *targets, u64 id, bool v1)
{
	if (!rt_cgroup_known(v1))
		return -EOPNOTSUPP;
	if (!id || targets->cgroup)
		return -EINVAL;
	targets->cgroup_v1 = v1;
	targets->cgroup = id;
	return 0;
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
		err = leave_out(targets, add->value);
		break;
	case RT_TARGET_CGROUP:
	case RT_TARGET_CGROUP_V1:
		err = choose_cgroup(targets, add->value, add->what == RT_TARGET_CGROUP_V1);
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
	target_unfollow(targets);
	kvfree(targets->tasks);
}
