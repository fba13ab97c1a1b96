/* SPDX-License-Identifier: GPL-2.0 */
/*
 * target.h - what a session is restricted to: CPUs, tasks, and not its own agent.
 */
#ifndef RT_TARGET_H
#define RT_TARGET_H

#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/sched.h>

#include <uapi/ringtail.h>

/*
 * The tasks: an open-addressed table of thread ids that handlers search and fork adds to
 * without a lock.  0 is a free place, RT_TASK_GONE one whose thread has ended.
 */
#define RT_TASKS_MAX (1U << 14)
#define RT_TASK_GONE (~0U)

struct rt_targets {
	bool any; /* read first: nothing below counts while it is false */
	bool by_cpu;
	bool inherit; /* children of the tasks, too */
	u32 agent;    /* process left out in task context; 0: none */
	u32 *tasks;   /* NULL: all */
	u64 overflow; /* threads that found no place: what they did is missing */
	struct cpumask cpus;
	struct list_head link; /* among the sessions that follow forks */
};

void rt_target_init(struct rt_targets *targets);
int rt_target_add(struct rt_targets *targets, const struct rt_target *add,
		  struct rt_refusal *refusal);
void rt_target_free(struct rt_targets *targets);

/* Whether the table holds TID.  Any context. */
bool rt_target_has_task(const struct rt_targets *targets, u32 tid);

/* Whether what happens here and now is wanted; AGENT: also what the agent does. */
static __always_inline bool rt_target_wants(const struct rt_targets *targets, u32 level, bool agent)
{
	if (targets->by_cpu && !cpumask_test_cpu(raw_smp_processor_id(), &targets->cpus))
		return false;
	if (!agent && targets->agent && level == RT_LEVEL_TASK && current->tgid == targets->agent)
		return false;
	return !targets->tasks || rt_target_has_task(targets, current->pid);
}

#endif
