/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Before 4.15 the function of a timer takes a number.
 *
 * Included by the test module that has a timer, not by compat.h.
 */
#ifndef RT_COMPAT_TIMER_H
#define RT_COMPAT_TIMER_H

#include <linux/timer.h>

#ifdef RT_HAVE_TIMER_LIST_CALLBACK
typedef struct timer_list *rt_compat_timer_argument;
#define RT_COMPAT_TIMER(name, function) DEFINE_TIMER(name, function)
#else
typedef unsigned long rt_compat_timer_argument;
#define RT_COMPAT_TIMER(name, function) DEFINE_TIMER(name, function, 0, 0)
#endif

#endif
