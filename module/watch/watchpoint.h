/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_WATCHPOINT_H
#define RT_WATCHPOINT_H

#include <linux/types.h>

extern const struct rt_source rt_watchpoint_source;

/* Once, at load: tries the backend out. */
int rt_watchpoint_init(void);
void rt_watchpoint_exit(void);

/* RT_IOC_TRY. */
int rt_watchpoint_call(void __user *argument);

#endif
