/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_TRACEPOINT_H
#define RT_COMPAT_TRACEPOINT_H

#include <linux/preempt.h>

/* What the kernel's way to the probes of a tracepoint adds to preempt_count(). */
#ifdef RT_HAVE_TRACEPOINT_SRCU
#define RT_TRACEPOINT_DEPTH 0
#else
#define RT_TRACEPOINT_DEPTH PREEMPT_DISABLE_OFFSET
#endif

/* Those of system calls may fault, and got their way first. */
#ifdef RT_HAVE_TRACEPOINT_FAULTABLE
#define RT_TRACEPOINT_SYSCALL_DEPTH 0
#else
#define RT_TRACEPOINT_SYSCALL_DEPTH PREEMPT_DISABLE_OFFSET
#endif

#endif
