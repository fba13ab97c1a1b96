// SPDX-License-Identifier: GPL-2.0
#include <linux/kprobes.h>

#include "cgroup.h"
#include "compat/cgroup.h"

bool rt_cgroup_known(bool v1)
{
	return v1 ? rt_compat_cgroups_v1 : rt_compat_cgroups;
}

static bool is_or_is_below(struct cgroup *cgrp, u64 id)
{
	unsigned int level;

	for (level = 0; cgrp && level < RT_CGROUP_LEVELS_MAX; level++) {
		if (rt_compat_cgroup_id(cgrp) == id)
			return true;
		cgrp = rt_compat_cgroup_parent(cgrp);
	}
	return false;
}
NOKPROBE_SYMBOL(is_or_is_below);

/*
 * The kernel frees a css_set after an RCU grace period, and a css_set holds its cgroups.  A cgroup
 * holds its parents.  So nothing below goes away meanwhile.
 */
bool rt_cgroup_has_current(u64 id, bool v1)
{
	bool has;

	rt_compat_cgroup_lock();
	has = is_or_is_below(v1 ? rt_compat_cgroup_v1(current) : rt_compat_cgroup_v2(current), id);
	rt_compat_cgroup_unlock();
	return has;
}
NOKPROBE_SYMBOL(rt_cgroup_has_current);
