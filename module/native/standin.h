/* SPDX-License-Identifier: GPL-2.0 */
/*
 * standin.h - functions that TP_fast_assign code calls and the kernel does not export.
 * Included after the headers that declare them, so that only the calls are turned to us.
 * The real function is used where the look-up finds it.
 */
#ifndef RT_NATIVE_STANDIN_H
#define RT_NATIVE_STANDIN_H

#include <linux/netdevice.h>
#include <linux/sched.h>
#include <linux/sched/numa_balancing.h>
#include <linux/sock_diag.h>

pid_t rt_standin_numa_group(struct task_struct *task);
const char *rt_standin_drivername(const struct net_device *dev);
u64 rt_standin_cookie(struct sock *sk);

#define task_numa_group_id rt_standin_numa_group
#define netdev_drivername  rt_standin_drivername
#define sock_gen_cookie	   rt_standin_cookie

#endif
