/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_CLOCK_H
#define RT_COMPAT_CLOCK_H

#include <linux/ktime.h>
#include <linux/sched.h>

#include <uapi/ringtail.h>

#ifdef RT_HAVE_SCHED_CLOCK_H
#include <linux/sched/clock.h>
#endif

#ifdef RT_HAVE_KTIME_GET_MONO_FAST_NS
#include <linux/timekeeping.h>
#define RT_CLOCK_KIND	RT_CLOCK_MONOTONIC
#define rt_compat_clock ktime_get_mono_fast_ns
#else
#define RT_CLOCK_KIND	RT_CLOCK_LOCAL
#define rt_compat_clock local_clock
#endif

#ifndef RT_HAVE_KTIME_GET_REAL_NS
#define ktime_get_real_ns() ktime_to_ns(ktime_get_real())
#endif

#endif
