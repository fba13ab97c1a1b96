/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cgroup of a task, without locks: NULL if this kernel does not tell.  The caller must be between
 * rt_compat_cgroup_lock() and rt_compat_cgroup_unlock(), with preemption disabled.
 *
 * The id of a cgroup is the inode number of its directory.
 */
#ifndef RT_COMPAT_CGROUP_H
#define RT_COMPAT_CGROUP_H

#include <linux/cgroup.h>
#include <linux/fs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

/* In the hierarchy of version 2. */
#if defined(RT_HAVE_CGROUP_ID) || defined(RT_HAVE_CGROUP_INO)
#define rt_compat_cgroups	  true
#define rt_compat_cgroup_v2(task) (rcu_dereference_raw((task)->cgroups)->dfl_cgrp)
#else
#define rt_compat_cgroups	  false
#define rt_compat_cgroup_v2(task) ((struct cgroup *)NULL)
#endif

/* In the hierarchy of version 1 that has the controller perf_event. */
#if defined(RT_HAVE_CGROUP_DENTRY)
#define rt_compat_cgroups_v1 true
#define rt_compat_cgroup_v1(task) \
	(rcu_dereference_raw((task)->cgroups)->subsys[perf_subsys_id]->cgroup)
#elif (defined(RT_HAVE_CGROUP_ID) || defined(RT_HAVE_CGROUP_INO)) && defined(RT_HAVE_CGROUP_PERF)
#define rt_compat_cgroups_v1 true
#define rt_compat_cgroup_v1(task) \
	(rcu_dereference_raw((task)->cgroups)->subsys[perf_event_cgrp_id]->cgroup)
#else
#define rt_compat_cgroups_v1	  false
#define rt_compat_cgroup_v1(task) ((struct cgroup *)NULL)
#endif

#if defined(RT_HAVE_CGROUP_ID)
#define rt_compat_cgroup_id(cgrp)     cgroup_id(cgrp)
#define rt_compat_cgroup_parent(cgrp) cgroup_parent(cgrp)
#elif defined(RT_HAVE_CGROUP_INO)
#define rt_compat_cgroup_id(cgrp) ((u64)cgroup_ino(cgrp))
static inline struct cgroup *rt_compat_cgroup_parent(struct cgroup *cgrp)
{
	struct cgroup_subsys_state *parent = cgrp->self.parent;

	return parent ? parent->cgroup : NULL;
}
#elif defined(RT_HAVE_CGROUP_DENTRY)
/* A hierarchy that is not mounted has no directories, one that is being removed no inode. */
static inline u64 rt_compat_cgroup_id(struct cgroup *cgrp)
{
	struct dentry *dentry = rcu_dereference_raw(cgrp->dentry);
	struct inode *inode = dentry ? ACCESS_ONCE(dentry->d_inode) : NULL;

	return inode ? inode->i_ino : 0;
}
#define rt_compat_cgroup_parent(cgrp) ((cgrp)->parent)
#else
#define rt_compat_cgroup_id(cgrp)     0ULL
#define rt_compat_cgroup_parent(cgrp) ((struct cgroup *)NULL)
#endif

/*
 * Before 4.20, on preemptible kernels, sections with preemption disabled do not keep what RCU frees.
 * This leaves out the checks of rcu_read_lock(), which would complain about events of the idle task.
 */
static inline void rt_compat_cgroup_lock(void)
{
#ifdef RT_HAVE_SYNCHRONIZE_SCHED
	__rcu_read_lock();
#endif
}

static inline void rt_compat_cgroup_unlock(void)
{
#ifdef RT_HAVE_SYNCHRONIZE_SCHED
	__rcu_read_unlock();
#endif
}

#endif
