// SPDX-License-Identifier: GPL-2.0
/*
 * 6.18: task_newtask passes the flags of clone() as u64.
 * A hook with the other type needs the older layout of the arguments.
 */
#include <linux/build_bug.h>
#include <linux/tracepoint.h>
#include <trace/events/task.h>

void rt_probe(void);
void rt_probe(void)
{
	BUILD_BUG_ON(!__builtin_types_compatible_p(
		typeof(&check_trace_callback_type_task_newtask),
		void (*)(void (*)(void *, struct task_struct *, u64))));
}
