// SPDX-License-Identifier: GPL-2.0
/* Until 5.18, where it became pending_irq. */
#include <linux/perf_event.h>

void *rt_probe(struct perf_event *event);
void *rt_probe(struct perf_event *event)
{
	return &event->pending.func;
}
