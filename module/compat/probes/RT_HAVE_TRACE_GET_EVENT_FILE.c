// SPDX-License-Identifier: GPL-2.0
/* 5.6: "tracing: Add trace_get/put_event_file()" */
#include <linux/err.h>
#include <linux/trace_events.h>

int rt_probe(const char *name);
int rt_probe(const char *name)
{
	struct trace_event_file *file = trace_get_event_file(NULL, "syscalls", name);

	if (IS_ERR(file))
		return PTR_ERR(file);
	trace_put_event_file(file);
	return 0;
}
