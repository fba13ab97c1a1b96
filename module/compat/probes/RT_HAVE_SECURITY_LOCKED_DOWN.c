// SPDX-License-Identifier: GPL-2.0
/* 5.4: 9e47d31d6a57 "security: Add a "locked down" LSM hook" */
#include <linux/security.h>

int rt_probe(void);
int rt_probe(void)
{
	return security_locked_down(LOCKDOWN_KPROBES) | security_locked_down(LOCKDOWN_PERF) |
	       security_locked_down(LOCKDOWN_TRACEFS);
}
