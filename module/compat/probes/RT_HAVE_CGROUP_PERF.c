// SPDX-License-Identifier: GPL-2.0
/* A kernel without CONFIG_CGROUP_PERF has no hierarchy of version 1 for tracers. */
#include <linux/cgroup.h>
#include <linux/sched.h>

struct cgroup *rt_probe(struct task_struct *task);
struct cgroup *rt_probe(struct task_struct *task)
{
	return task->cgroups->subsys[perf_event_cgrp_id]->cgroup;
}
