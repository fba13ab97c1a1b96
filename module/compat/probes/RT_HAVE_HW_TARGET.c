// SPDX-License-Identifier: GPL-2.0
/*
 * 4.1: "perf: Remove type specific target pointers"
 * The replacement needs the older layout of struct hw_perf_event.
 */
#include <linux/perf_event.h>

struct task_struct *rt_probe(struct perf_event *event);
struct task_struct *rt_probe(struct perf_event *event)
{
	return event->hw.target;
}
