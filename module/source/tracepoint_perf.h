/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_TRACEPOINT_PERF_H
#define RT_TRACEPOINT_PERF_H

#include <linux/types.h>

struct perf_event_attr;
struct perf_sample_data;
struct pt_regs;
struct rt_event;

extern const struct rt_source rt_tracepoint_perf_source;

/* Ask for the raw record of every hit of the tracepoint NUMBER. */
void rt_tracepoint_perf_attr(struct perf_event_attr *attr, u32 number);
/* One hit, for a handler of perf_events; with NUMBER, 32 bits with *NUMBER precede the fields. */
void rt_tracepoint_perf_hit(struct rt_event *event, const struct perf_sample_data *data,
			    struct pt_regs *regs, const u32 *number);

#endif
