// SPDX-License-Identifier: GPL-2.0
/*
 * 5.5: da97e18458fb "perf_event: Add support for LSM and SELinux checks".
 * The module needs only the function's type and looks up its address by itself.
 */
#include <linux/perf_event.h>
#include <linux/security.h>

int rt_probe(typeof(&security_perf_event_open) hook, struct perf_event_attr *attr);
int rt_probe(typeof(&security_perf_event_open) hook, struct perf_event_attr *attr)
{
	return hook(attr, PERF_SECURITY_KERNEL);
}
