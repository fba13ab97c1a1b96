// SPDX-License-Identifier: GPL-2.0
/*
 * 3.16: 82b897782d10 "perf: Differentiate exec() and non-exec() comm events"
 * The replacement needs the older layout of struct task_struct.
 */
#include <linux/bug.h>
#include <linux/perf_event.h>

int rt_probe(void);
int rt_probe(void)
{
	BUILD_BUG_ON(!__builtin_types_compatible_p(typeof(perf_event_comm),
						   void(struct task_struct *, bool)));
	return 0;
}
