// SPDX-License-Identifier: GPL-2.0
/*
 * 3.15: probes are registered for a struct tracepoint, not for a name.
 * The replacement needs the older layout of the arguments.
 */
#include <linux/tracepoint.h>

int rt_probe(struct tracepoint *tracepoint, void *function);
int rt_probe(struct tracepoint *tracepoint, void *function)
{
	return tracepoint_probe_register(tracepoint, function, NULL);
}
