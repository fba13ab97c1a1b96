// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/security.h>

#include <uapi/ringtail.h>

#include "lockdown.h"

static const struct {
	enum lockdown_reason reason;
	u32 bit;
} reasons[] = {
	{ LOCKDOWN_KPROBES, RT_LOCKDOWN_KPROBES },
	{ LOCKDOWN_PERF, RT_LOCKDOWN_PERF },
	{ LOCKDOWN_BPF_READ_KERNEL, RT_LOCKDOWN_READ_KMEM },
	{ LOCKDOWN_TRACEFS, RT_LOCKDOWN_TRACEFS },
};

u32 rt_lockdown_refused(void)
{
	u32 refused = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reasons); i++)
		if (security_locked_down(reasons[i].reason))
			refused |= reasons[i].bit;
	return refused;
}
