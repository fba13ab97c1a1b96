/* SPDX-License-Identifier: GPL-2.0 */
/* Before 4.2, when the structs had other names. */
#ifndef RT_COMPAT_MOVED_TRACE_EVENTS_H
#define RT_COMPAT_MOVED_TRACE_EVENTS_H
#include <linux/ftrace_event.h>
#define trace_event_call ftrace_event_call
#endif
