// SPDX-License-Identifier: GPL-2.0
#include "tracepoint_number.h"

#include <linux/kernel.h>
#include <linux/trace_events.h>

#include "compat/tracepoint_find.h"
#include "lookup.h"

#if defined(CONFIG_EVENT_TRACING) && RT_COMPAT_TRACEPOINT_LISTENERS

/* Below it the kernel has numbers of its own (about 25), whose struct trace_event stands alone. */
#define NUMBERS_FROM 32

/* The kernel's functions of these names, which it does not export. */
static struct trace_event *(*find_event)(int number)__read_mostly;
static void (*read_lock_events)(void) __read_mostly;
static void (*read_unlock_events)(void) __read_mostly;

void __init rt_tracepoint_number_init(void)
{
	find_event = (void *)rt_lookup_callable("ftrace_find_event");
	read_lock_events = (void *)rt_lookup_callable("trace_event_read_lock");
	read_unlock_events = (void *)rt_lookup_callable("trace_event_read_unlock");
}

u64 rt_tracepoint_of_number(u32 number)
{
	const struct trace_event_call *call;
	struct trace_event *event;
	u64 found = number;

	if (number < NUMBERS_FROM || !find_event || !read_lock_events || !read_unlock_events)
		return number;
	read_lock_events();
	event = find_event(number);
	if (event) {
		call = container_of(event, struct trace_event_call, event);
		if (call->flags & TRACE_EVENT_FL_TRACEPOINT)
			found = (unsigned long)call->tp;
	}
	read_unlock_events();
	return found;
}

#else

void __init rt_tracepoint_number_init(void)
{
}

u64 rt_tracepoint_of_number(u32 number)
{
	return number;
}

#endif
