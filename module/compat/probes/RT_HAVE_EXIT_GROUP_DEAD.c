// SPDX-License-Identifier: GPL-2.0
/*
 * 6.16: sched_process_exit also passes whether the whole process has ended.
 * A hook without this argument needs the older layout of the arguments.
 */
#include <linux/build_bug.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

void rt_probe(void);
void rt_probe(void)
{
	BUILD_BUG_ON(!__builtin_types_compatible_p(
		typeof(&check_trace_callback_type_sched_process_exit),
		void (*)(void (*)(void *, struct task_struct *, bool))));
}
