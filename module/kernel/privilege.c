// SPDX-License-Identifier: GPL-2.0
#include "privilege.h"

#include <linux/capability.h>

#include <uapi/ringtail.h>

#include "compat/perf_security.h"
#include "lookup.h"

/*
 * kernel.perf_event_paranoid may let everybody sample the kernel; that does not allow them to put
 * probes into it and to read its memory.  capable() asks in the initial user namespace: root of
 * another user namespace has no rights here.
 */
int rt_privilege_check(void)
{
	if (!perfmon_capable())
		return -EPERM;
	return rt_compat_perf_allow_kernel((void *)rt_lookup_address(RT_LOOKUP_PERF_HOOK));
}
