// SPDX-License-Identifier: GPL-2.0
/* 3.18: 179033b3e064 "perf: Add PERF_EVENT_STATE_EXIT state for events with exited task" */
#include <linux/perf_event.h>

bool rt_probe(struct perf_event *event);
bool rt_probe(struct perf_event *event)
{
	return event->state <= PERF_EVENT_STATE_EXIT;
}
