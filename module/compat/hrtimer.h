/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Work and timers that run in a hard interrupt, also on a PREEMPT_RT kernel, which otherwise runs
 * their functions in threads.  Kernels without such a kind have no PREEMPT_RT.
 *
 * Included by its users, not by compat.h.
 */
#ifndef RT_COMPAT_HRTIMER_H
#define RT_COMPAT_HRTIMER_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>

/* On the CPU that starts the timer. */
#ifdef RT_HAVE_HRTIMER_HARD
#define RT_COMPAT_HARD_HERE HRTIMER_MODE_REL_PINNED_HARD
#else
#define RT_COMPAT_HARD_HERE HRTIMER_MODE_REL_PINNED
#endif

static inline void rt_compat_hard_timer(struct hrtimer *timer,
					enum hrtimer_restart (*function)(struct hrtimer *timer))
{
#ifdef RT_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, RT_COMPAT_HARD_HERE);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, RT_COMPAT_HARD_HERE);
	timer->function = function;
#endif
}

static inline void rt_compat_hard_work(struct irq_work *work,
				       void (*function)(struct irq_work *work))
{
#ifdef RT_HAVE_IRQ_WORK_HARD
	*work = IRQ_WORK_INIT_HARD(function);
#else
	init_irq_work(work, function);
#endif
}

#endif
