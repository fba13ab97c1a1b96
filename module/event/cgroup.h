/* SPDX-License-Identifier: GPL-2.0 */
/* cgroup.h - whether the current task is in a cgroup. */
#ifndef RT_CGROUP_H
#define RT_CGROUP_H

#include <linux/types.h>

/*
 * The handler looks at the task's cgroup and at most so many of its parents.  A task that is nested
 * deeper below the target is not recorded.
 */
#define RT_CGROUP_LEVELS_MAX 64

/* Whether this kernel can tell, for the hierarchy of version 1 or 2. */
bool rt_cgroup_known(bool v1);
/*
 * Whether the current task is in the cgroup with this id or in one below it.  Any context with
 * preemption disabled.
 */
bool rt_cgroup_has_current(u64 id, bool v1);

#endif
