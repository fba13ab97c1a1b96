/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target.h - what a session is restricted to: CPUs, tasks, a cgroup, and not its own agent.
 */
#ifndef RT_TARGET_H
#define RT_TARGET_H

#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/threads.h>

#include <uapi/ringtail.h>

#include "cgroup.h"

/*
 * The target tasks: one bit for each possible thread id.  A handler tests one bit and a fork sets or
 * clears one bit, independent of the number of tasks.
 */
#define RT_TASKS_MAX PID_MAX_LIMIT
#define RT_NO_TASK   (~0U) /* the id of no task and no process */

struct rt_targets {
	bool any; /* false: no target is set, ignore the rest */
	bool by_cpu;
	bool inherit;	      /* children of the tasks, too */
	u32 agent;	      /* process whose hits in task context are left out; 0: none */
	bool cgroup_v1;	      /* of version 1 */
	u64 cgroup;	      /* 0: any */
	unsigned long *tasks; /* NULL: all */
	struct cpumask cpus;
	struct list_head link; /* among the targets that follow forks */
};

void rt_target_init(struct rt_targets *targets);
int rt_target_add(struct rt_targets *targets, const struct rt_target *add,
		  struct rt_refusal *refusal);
void rt_target_free(struct rt_targets *targets);

/* Whether anything but hits of the agent is left out. */
static inline bool rt_target_restricts(const struct rt_targets *targets)
{
	return targets->by_cpu || targets->cgroup || targets->tasks;
}

/* Whether TID is a target; call only if tasks is not NULL.  Any context. */
static __always_inline bool rt_target_has_task(const struct rt_targets *targets, u32 tid)
{
	return tid < RT_TASKS_MAX && test_bit(tid, targets->tasks);
}

/* Whether the agent caused this hit in task context. */
static __always_inline bool rt_target_is_agent(const struct rt_targets *targets, u32 level)
{
	return targets->agent && level == RT_LEVEL_TASK && current->tgid == targets->agent;
}

/* Whether the current CPU and task are targets. */
static __always_inline bool rt_target_wants(const struct rt_targets *targets, u32 level)
{
	if (targets->by_cpu && !cpumask_test_cpu(raw_smp_processor_id(), &targets->cpus))
		return false;
	if (rt_target_is_agent(targets, level))
		return false;
	if (targets->cgroup && !rt_cgroup_has_current(targets->cgroup, targets->cgroup_v1))
		return false;
	return !targets->tasks || rt_target_has_task(targets, current->pid);
}

#endif
