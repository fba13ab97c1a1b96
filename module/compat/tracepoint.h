/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_TRACEPOINT_H
#define RT_COMPAT_TRACEPOINT_H

#include <linux/preempt.h>
#include <linux/types.h>

/* What the kernel's path to the probes of a tracepoint adds to preempt_count(). */
#ifdef RT_HAVE_TRACEPOINT_SRCU
#define RT_TRACEPOINT_DEPTH 0
#else
#define RT_TRACEPOINT_DEPTH PREEMPT_DISABLE_OFFSET
#endif

/* The same for tracepoints of system calls, whose probes may fault on newer kernels. */
#ifdef RT_HAVE_TRACEPOINT_FAULTABLE
#define RT_TRACEPOINT_SYSCALL_DEPTH 0
#else
#define RT_TRACEPOINT_SYSCALL_DEPTH PREEMPT_DISABLE_OFFSET
#endif

/* The type of the flags that task_newtask passes. */
#ifdef RT_HAVE_CLONE_FLAGS_U64
typedef u64 rt_compat_clone_flags;
#else
typedef unsigned long rt_compat_clone_flags;
#endif

/* What sched_process_exit passes after the task. */
#ifdef RT_HAVE_EXIT_GROUP_DEAD
#define RT_COMPAT_EXIT_ARGUMENTS , bool group_dead
#else
#define RT_COMPAT_EXIT_ARGUMENTS
#endif

#endif
