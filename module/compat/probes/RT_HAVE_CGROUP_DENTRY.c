// SPDX-License-Identifier: GPL-2.0
/* Until 3.14: 2bd59d48ebfb "cgroup: convert to kernfs". */
#include <linux/cgroup.h>
#include <linux/fs.h>
#include <linux/sched.h>

unsigned long rt_probe(struct task_struct *task);
unsigned long rt_probe(struct task_struct *task)
{
	struct cgroup *cgrp = task->cgroups->subsys[perf_subsys_id]->cgroup;

	return cgrp->parent->dentry->d_inode->i_ino;
}
