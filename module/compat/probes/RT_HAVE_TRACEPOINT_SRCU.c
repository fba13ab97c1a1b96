// SPDX-License-Identifier: GPL-2.0
/*
 * 7.0: "tracing: Guard __DECLARE_TRACE() use of __DO_TRACE_CALL() with SRCU-fast".  Since then all
 * tracepoints call their probes with preemption on.
 */
#include <linux/tracepoint.h>

int rt_probe(void);
int rt_probe(void)
{
	guard(srcu_fast_notrace)(&tracepoint_srcu);
	return 0;
}
