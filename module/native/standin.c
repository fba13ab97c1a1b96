// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>

#include "compat/sock.h"
#include "kernel/lookup.h"
#include "standin.h"

/* As the scheduler says, or 0, "no group", which is what it says of most tasks. */
pid_t rt_standin_numa_group(struct task_struct *task)
{
	pid_t (*real)(struct task_struct * task) = (void *)rt_lookup_address(RT_LOOKUP_NUMA_GROUP);

	return real ? real(task) : 0;
}

const char *rt_standin_drivername(const struct net_device *dev)
{
	const char *(*real)(const struct net_device *dev) =
		(void *)rt_lookup_address(RT_LOOKUP_DRIVERNAME);

	return real ? real(dev) : "";
}

/* A socket without a cookie gets none from us: looking must not change it. */
u64 rt_standin_cookie(struct sock *sk)
{
	return rt_compat_sock_cookie(sk);
}
