/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_WATCHPOINT_H
#define RT_WATCHPOINT_H

#include <linux/types.h>

/* Once, at load: the backend is tried out. */
int rt_watchpoint_init(void);
void rt_watchpoint_exit(void);

/* Whether watchpoints can be had. */
bool rt_watchpoint_works(void);

#endif
