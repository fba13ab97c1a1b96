/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of tracefs' system "syscalls".
 *
 * Included by its one user, not by compat.h.
 */
#ifndef RT_COMPAT_TRACE_EVENTS_H
#define RT_COMPAT_TRACE_EVENTS_H

#include <linux/err.h>
#include <linux/trace_events.h>
#include <trace/syscall.h>

/*
 * The number of the system call whose event has this name; -ENOENT if there is none.  -EOPNOTSUPP: the
 * kernel has no function that finds the event, and the caller has to know the number.
 */
#ifdef RT_HAVE_TRACE_GET_EVENT_FILE
static inline int rt_compat_syscall_number(const char *name)
{
	struct trace_event_file *file = trace_get_event_file(NULL, "syscalls", name);
	const struct syscall_metadata *call;
	int number;

	if (IS_ERR(file))
		return -ENOENT;
	call = file->event_call->data;
	number = call->syscall_nr;
	trace_put_event_file(file);
	return number < 0 ? -ENOENT : number;
}
#else
static inline int rt_compat_syscall_number(const char *name)
{
	return -EOPNOTSUPP;
}
#endif

#endif
