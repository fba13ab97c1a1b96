/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_WATCH_SWITCH_H
#define RT_WATCH_SWITCH_H

#include <linux/types.h>

/* The module parameter, as RT_SWITCH_*, that forbids what watchpoints need on this machine; 0: none does. */
u32 rt_watch_switched_off(void);

#endif
