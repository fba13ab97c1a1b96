/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel lockdown, asked reason by reason.  The module loads in any case: a machine in integrity mode
 * (Secure Boot) may trace, one in confidentiality mode may not, and only the kernel knows the mode.
 */
#ifndef RT_LOCKDOWN_H
#define RT_LOCKDOWN_H

#include <linux/types.h>

/* The RT_LOCKDOWN_* bits that lockdown refuses at this moment.  May sleep. */
u32 rt_lockdown_refused(void);

/*
 * Between these two, rt_lockdown_raised() tells in any context whether lockdown was raised since the first;
 * it notices that within about a second.  Kernels without lockdown need no work for this.  May sleep.
 */
void rt_lockdown_watch(void);
void rt_lockdown_unwatch(void);
bool rt_lockdown_raised(void);

#endif
