// SPDX-License-Identifier: GPL-2.0
/* f11f10bfa1ca "perf/bpf: Call BPF handler directly, not through overflow machinery", 6.10: the field went; its user needs the older layout. */
#include <linux/perf_event.h>

void rt_probe(struct perf_event *event);
void rt_probe(struct perf_event *event)
{
	event->orig_overflow_handler = event->overflow_handler;
}
