// SPDX-License-Identifier: GPL-2.0
/*
 * 6.13: "tracing: Introduce tracepoint_is_faultable()".  Since then the tracepoints of system calls
 * call their probes with preemption on.
 */
#include <linux/tracepoint.h>

bool rt_probe(const struct tracepoint *tracepoint);
bool rt_probe(const struct tracepoint *tracepoint)
{
	return tracepoint_is_faultable((struct tracepoint *)tracepoint);
}
