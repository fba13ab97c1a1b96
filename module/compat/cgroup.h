/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cgroup of a task, without locks: NULL if this kernel does not tell.  The caller must be in an
 * RCU read-side critical section, or have preemption disabled.
 */
#ifndef RT_COMPAT_CGROUP_H
#define RT_COMPAT_CGROUP_H

#include <linux/cgroup.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#ifdef RT_HAVE_CGROUP_ID
#define rt_compat_cgroups true
/* In the hierarchy of version 2. */
#define rt_compat_cgroup_v2(task)     (rcu_dereference_raw((task)->cgroups)->dfl_cgrp)
#define rt_compat_cgroup_id(cgrp)     cgroup_id(cgrp)
#define rt_compat_cgroup_parent(cgrp) cgroup_parent(cgrp)
#else
#define rt_compat_cgroups	      false
#define rt_compat_cgroup_v2(task)     ((struct cgroup *)NULL)
#define rt_compat_cgroup_id(cgrp)     0ULL
#define rt_compat_cgroup_parent(cgrp) ((struct cgroup *)NULL)
#endif

/* In the hierarchy of version 1 that has the controller perf_event. */
#if defined(RT_HAVE_CGROUP_ID) && defined(RT_HAVE_CGROUP_PERF)
#define rt_compat_cgroups_v1 true
#define rt_compat_cgroup_v1(task) \
	(rcu_dereference_raw((task)->cgroups)->subsys[perf_event_cgrp_id]->cgroup)
#else
#define rt_compat_cgroups_v1	  false
#define rt_compat_cgroup_v1(task) ((struct cgroup *)NULL)
#endif

#endif
