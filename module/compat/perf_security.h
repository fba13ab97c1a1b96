/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perf_security.h - ask security modules, which check tracing under the name of perf.
 *
 * Included by its one user, not by compat.h.
 */
#ifndef RT_COMPAT_PERF_SECURITY_H
#define RT_COMPAT_PERF_SECURITY_H

#include <linux/perf_event.h>
#include <linux/security.h>

/* HOOK is the address of security_perf_event_open(), which the kernel does not export, or NULL. */
static inline int rt_compat_perf_allow_kernel(void *hook)
{
#if defined(RT_HAVE_PERF_ALLOW_KERNEL)
	return perf_allow_kernel();
#elif defined(RT_HAVE_PERF_ALLOW_KERNEL_ATTR)
	struct perf_event_attr attr = { .size = sizeof(attr) };

	return perf_allow_kernel(&attr);
#elif defined(RT_HAVE_SECURITY_PERF_EVENT_OPEN)
	typeof(&security_perf_event_open) ask = hook;
	struct perf_event_attr attr = { .size = sizeof(attr) };

	return ask ? ask(&attr, PERF_SECURITY_KERNEL) : 0;
#else
	return 0;
#endif
}

#endif
