// SPDX-License-Identifier: GPL-2.0
/* 5.5: 743210386c03 "cgroup: use cgrp->kn->id as the cgroup ID" */
#include <linux/cgroup.h>
#include <linux/sched.h>

#ifndef CONFIG_CGROUPS
#error without cgroups every task has the same
#endif

u64 rt_probe(struct task_struct *task);
u64 rt_probe(struct task_struct *task)
{
	return cgroup_id(cgroup_parent(task->cgroups->dfl_cgrp));
}
