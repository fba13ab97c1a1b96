/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Find tracepoints of the kernel itself by name.  Before 3.15 the kernel has no list of them, and
 * registers probes by name, whether or not there is such a tracepoint.
 *
 * Included by its users, not by compat.h.
 */
#ifndef RT_COMPAT_TRACEPOINT_FIND_H
#define RT_COMPAT_TRACEPOINT_FIND_H

#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#ifdef RT_HAVE_TRACEPOINT_POINTER

/* Modules with tracepoints are announced to listeners. */
#define RT_COMPAT_TRACEPOINT_LISTENERS 1

struct rt_compat_search {
	const char *name;
	struct tracepoint *found;
};

static inline void rt_compat_tracepoint_compare(struct tracepoint *tp, void *data)
{
	struct rt_compat_search *search = data;

	if (!strcmp(tp->name, search->name))
		search->found = tp;
}

static inline struct tracepoint *rt_compat_tracepoint_find(const char *name)
{
	struct rt_compat_search search = { .name = name };

	for_each_kernel_tracepoint(rt_compat_tracepoint_compare, &search);
	return search.found;
}

#else

#define RT_COMPAT_TRACEPOINT_LISTENERS 0

/* Needs the names of data (CONFIG_KALLSYMS_ALL). */
static inline struct tracepoint *rt_compat_tracepoint_find(const char *name)
{
	char symbol[KSYM_NAME_LEN];

	if (snprintf(symbol, sizeof(symbol), "__tracepoint_%s", name) >= (int)sizeof(symbol))
		return NULL;
	return (struct tracepoint *)kallsyms_lookup_name(symbol);
}

static inline int rt_compat_tracepoint_register(struct tracepoint *tp, void *function, void *data)
{
	return tracepoint_probe_register(tp->name, function, data);
}

static inline int rt_compat_tracepoint_unregister(struct tracepoint *tp, void *function, void *data)
{
	return tracepoint_probe_unregister(tp->name, function, data);
}

#define tracepoint_probe_register   rt_compat_tracepoint_register
#define tracepoint_probe_unregister rt_compat_tracepoint_unregister
#endif

#endif
