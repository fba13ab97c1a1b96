/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included by its users, not by compat.h.
 */
#ifndef RT_COMPAT_PERF_EVENT_H
#define RT_COMPAT_PERF_EVENT_H

#include <linux/perf_event.h>
#include <linux/sched.h>

#include "ptrace.h"

/* The one part of a tracepoint's raw record, which is the record itself on older kernels. */
#ifdef RT_HAVE_PERF_RAW_FRAG
#define rt_compat_raw(raw) (&(raw)->frag)
#else
#define rt_compat_raw(raw) (raw)
#endif

/* The address of the data; newer kernels leave the member as it was if there is none. */
static __always_inline u64 rt_compat_sample_address(const struct perf_sample_data *data)
{
#ifdef RT_HAVE_PERF_SAMPLE_FLAGS
	return data->sample_flags & PERF_SAMPLE_ADDR ? data->addr : 0;
#else
	return data->addr;
#endif
}

/* Whether perf_event_comm(), called with REGS, tells of a new program and not of a new name alone. */
static inline bool rt_compat_comm_of_exec(struct pt_regs *regs)
{
#ifdef RT_HAVE_COMM_EXEC
	return regs_get_kernel_argument(regs, 1) & 1;
#else
	return (void *)regs_get_kernel_argument(regs, 0) == current && current->in_execve;
#endif
}

/* Whether the task that the event belongs to has exited. */
static inline bool rt_compat_event_gone(const struct perf_event *event)
{
#ifdef RT_HAVE_PERF_EVENT_STATE_EXIT
	return READ_ONCE(event->state) <= PERF_EVENT_STATE_EXIT;
#else
	return !(READ_ONCE(event->attach_state) & PERF_ATTACH_CONTEXT);
#endif
}

/* Before 4.1 each type of event had its own pointer to the task. */
static inline struct task_struct *rt_compat_watched_task(const struct perf_event *event)
{
#ifdef RT_HAVE_HW_TARGET
	return event->hw.target;
#else
	return event->hw.bp_target;
#endif
}

#endif
