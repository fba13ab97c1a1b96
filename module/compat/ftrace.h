/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_COMPAT_FTRACE_H
#define RT_COMPAT_FTRACE_H

#include <linux/delay.h>
#include <linux/ftrace.h>

/*
 * A callback gets all registers or, if the kernel no longer saves them for ftrace, those that pass
 * the arguments of a call.
 */
#if defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
#define RT_FTRACE_REGS 1
#elif defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) && defined(CONFIG_ARM64)
#define RT_FTRACE_ARGS 1
#endif

#if defined(RT_FTRACE_REGS) || defined(RT_FTRACE_ARGS)

#ifdef RT_FTRACE_REGS
#define RT_FTRACE_OPS_FL_SAVE FTRACE_OPS_FL_SAVE_REGS
#else
#define RT_FTRACE_OPS_FL_SAVE 0
#endif

#ifdef RT_FTRACE_ARGS
/* On older kernels struct ftrace_regs is not opaque. */
#ifndef arch_ftrace_regs
#define arch_ftrace_regs(fregs) (fregs)
#endif
#ifdef RT_HAVE_PT_REGS_PMR
#define rt_compat_pmr pmr
#else
#define rt_compat_pmr pmr_save
#endif
#else
#define rt_compat_pmr pmr_save
#endif

/* Older kernels pass struct pt_regs to callbacks. */
#if defined(RT_FTRACE_REGS) && !defined(RT_HAVE_FTRACE_REGS)
#define ftrace_regs	       pt_regs
#define ftrace_get_regs(fregs) (fregs)
#endif

/* Before 3.18 no callback has a trampoline of its own. */
#ifdef RT_HAVE_FTRACE_TRAMPOLINE
#define rt_compat_trampoline(ops)      ((ops)->trampoline)
#define rt_compat_trampoline_size(ops) ((ops)->trampoline_size)
#else
#define rt_compat_trampoline(ops)      0UL
#define rt_compat_trampoline_size(ops) 0UL
#endif

/* Older kernels call a callback without their own recursion guard only if a flag says so. */
#ifdef RT_HAVE_FTRACE_OPS_FL_RECURSION
#define RT_FTRACE_OPS_FL_UNGUARDED 0
#else
#define RT_FTRACE_OPS_FL_UNGUARDED FTRACE_OPS_FL_RECURSION_SAFE
#endif

/* The callback of a kretprobe always needs that guard; KRETPROBE_ON_RETHOOK is newer than the flag. */
#if defined(RT_HAVE_FTRACE_OPS_FL_RECURSION) && defined(CONFIG_KRETPROBE_ON_RETHOOK) && \
	defined(CONFIG_KPROBES_ON_FTRACE)
#define RT_COMPAT_RETURNS_BY_FTRACE true
#define RT_FTRACE_OPS_FL_GUARDED    FTRACE_OPS_FL_RECURSION
#else
#define RT_COMPAT_RETURNS_BY_FTRACE false
#define RT_FTRACE_OPS_FL_GUARDED    0
#endif

/* Older kernels let the user clear sysctl kernel.ftrace_enabled while a callback is in use. */
#ifdef RT_HAVE_FTRACE_OPS_FL_PERMANENT
#define RT_FTRACE_OPS_FL_PERMANENT FTRACE_OPS_FL_PERMANENT
#else
#define RT_FTRACE_OPS_FL_PERMANENT 0
#endif

/*
 * Set many addresses at once.  Older kernels take one address at a time and copy the table of all
 * previous ones each time, which is fast enough for RT_FTRACE_IPS_MAX addresses.
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

/* An empty filter holds no memory, but setting it needs some: retry until the kernel has it. */
#ifndef RT_HAVE_FTRACE_FREE_FILTER
static inline void rt_compat_ftrace_free_filter(struct ftrace_ops *ops)
{
	while (ftrace_set_filter(ops, NULL, 0, 1) == -ENOMEM)
		msleep(10);
}

#undef ftrace_free_filter
#define ftrace_free_filter rt_compat_ftrace_free_filter
#endif

#endif /* RT_FTRACE_REGS || RT_FTRACE_ARGS */

#endif
