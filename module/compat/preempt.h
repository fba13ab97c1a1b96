/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_PREEMPT_H
#define RT_COMPAT_PREEMPT_H

#include <linux/hardirq.h>
#include <linux/preempt.h>

/* 4.3: what preempt_disable() adds to preempt_count(). */
#ifndef PREEMPT_DISABLE_OFFSET
#ifdef CONFIG_PREEMPT_COUNT
#define PREEMPT_DISABLE_OFFSET PREEMPT_OFFSET
#else
#define PREEMPT_DISABLE_OFFSET 0
#endif
#endif

#endif
