// SPDX-License-Identifier: GPL-2.0
/*
 * Removed in 6.10: f11f10bfa1ca "perf/bpf: Call BPF handler directly, not through overflow
 * machinery".
 * The code that uses the field needs the older layout of struct perf_event.
 */
#include <linux/perf_event.h>

void rt_probe(struct perf_event *event);
void rt_probe(struct perf_event *event)
{
	event->orig_overflow_handler = event->overflow_handler;
}
