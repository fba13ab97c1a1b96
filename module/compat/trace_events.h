/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_TRACE_EVENTS_H
#define RT_COMPAT_TRACE_EVENTS_H

#include <linux/err.h>
#include <linux/trace_events.h>

/* Without it the kernel's own number of a system call cannot be had by its name. */
#ifndef RT_HAVE_TRACE_GET_EVENT_FILE
static inline struct trace_event_file *
rt_compat_trace_get_event_file(const char *instance, const char *system, const char *event)
{
	return ERR_PTR(-EOPNOTSUPP);
}
#define trace_get_event_file	   rt_compat_trace_get_event_file
#define trace_put_event_file(file) ((void)(file))
#endif

#endif
