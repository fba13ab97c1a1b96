// SPDX-License-Identifier: GPL-2.0
/* 3.16: 9d800df12d31 "cgroup: rename cgroup->dummy_css to ->self and move it to the top" */
#include <linux/cgroup.h>
#include <linux/sched.h>

#ifndef CONFIG_CGROUPS
#error without cgroups every task has the same
#endif

ino_t rt_probe(struct task_struct *task);
ino_t rt_probe(struct task_struct *task)
{
	struct cgroup_subsys_state *css = task->cgroups->dfl_cgrp->self.parent;

	return cgroup_ino(css->cgroup);
}
