/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel lockdown, asked reason by reason.  Loading is not refused: a machine
 * in integrity mode (Secure Boot) may trace, one in confidentiality mode may
 * not, and the kernel is the one to say which is which.
 */
#ifndef RT_LOCKDOWN_H
#define RT_LOCKDOWN_H

#include <linux/types.h>

/* The RT_LOCKDOWN_* bits that are refused at this moment.  May sleep. */
u32 rt_lockdown_refused(void);

#endif
