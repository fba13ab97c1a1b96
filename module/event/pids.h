/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pids.h - task ids as a session sees them: in the pid namespace of its opener, as perf does.  A task
 * that is not visible there has the id 0.
 */
#ifndef RT_PIDS_H
#define RT_PIDS_H

#include <linux/compiler.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>

#include "channel.h"
#include "compat/pid.h"

/* Like pid_nr_ns(), which could be probed itself and must not be called at every hit. */
static __always_inline u32 rt_pid_seen(const struct pid_namespace *ns, const struct pid *pid)
{
	if (!pid || ns->level > pid->level || pid->numbers[ns->level].ns != ns)
		return 0;
	return pid->numbers[ns->level].nr;
}

/* Call under RCU or with preemption off: the task may be exiting. */
static __always_inline u32 rt_pids_current(const struct rt_channel *channel)
{
	if (likely(!channel->pids))
		return current->pid;
	return rt_pid_seen(channel->pids, rt_compat_thread_pid(current));
}

#endif
