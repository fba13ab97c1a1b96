/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_FTRACE_H
#define RT_COMPAT_FTRACE_H

#include <linux/delay.h>
#include <linux/ftrace.h>

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS

/* Callbacks were given the registers themselves. */
#ifndef RT_HAVE_FTRACE_REGS
#define ftrace_regs	       pt_regs
#define ftrace_get_regs(fregs) (fregs)
#endif

/* To be called without the kernel's guard against recursion had to be asked for. */
#ifdef RT_HAVE_FTRACE_OPS_FL_RECURSION
#define RT_FTRACE_OPS_FL_UNGUARDED 0
#else
#define RT_FTRACE_OPS_FL_UNGUARDED FTRACE_OPS_FL_RECURSION_SAFE
#endif

/* sysctl kernel.ftrace_enabled could not be held. */
#ifdef RT_HAVE_FTRACE_OPS_FL_PERMANENT
#define RT_FTRACE_OPS_FL_PERMANENT FTRACE_OPS_FL_PERMANENT
#else
#define RT_FTRACE_OPS_FL_PERMANENT 0
#endif

/*
 * Many addresses at once.  One by one, each copies the table of those before it: so many
 * are bearable.
 */
#ifdef RT_HAVE_FTRACE_SET_FILTER_IPS
#define RT_FTRACE_IPS_MAX UINT_MAX
#else
#define RT_FTRACE_IPS_MAX 1024

static inline int rt_compat_ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips,
						  unsigned int count, int remove, int reset)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < count && !err; i++)
		err = ftrace_set_filter_ip(ops, ips[i], remove, reset && !i);
	return err;
}

#undef ftrace_set_filter_ips
#define ftrace_set_filter_ips rt_compat_ftrace_set_filter_ips
#endif

/* An empty filter takes no memory, but making one does. */
#ifndef RT_HAVE_FTRACE_FREE_FILTER
static inline void rt_compat_ftrace_free_filter(struct ftrace_ops *ops)
{
	while (ftrace_set_filter(ops, NULL, 0, 1) == -ENOMEM)
		msleep(10);
}

#undef ftrace_free_filter
#define ftrace_free_filter rt_compat_ftrace_free_filter
#endif

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_REGS */

#endif
