// SPDX-License-Identifier: GPL-2.0
/* entry_none.c - for kernels whose ftrace gives no registers: kprobes serve all function entries. */
#include <linux/errno.h>
#include <linux/init.h>

#include "compat/ftrace.h"

#include "entry.h"

#if !defined(RT_FTRACE_REGS) && !defined(RT_FTRACE_ARGS)

void __init rt_entry_init(void)
{
}

bool rt_entry_serves(const struct rt_event *event)
{
	return false;
}

bool rt_entry_wanted(void)
{
	return false;
}

unsigned long rt_entry_place(const struct kprobe *kp, bool named)
{
	return 0;
}

unsigned long rt_entry_find(unsigned long function, unsigned long *ip)
{
	return 0;
}

unsigned long rt_entry_place_of_return(const struct kprobe *kp)
{
	return 0;
}

void __init rt_entry_place_init(void)
{
}

struct rt_entries *rt_entries_new(u32 max, bool returns)
{
	return NULL;
}

bool rt_entries_add(struct rt_entries *entries, unsigned long at, u64 ip, struct rt_event *event)
{
	return false;
}

int rt_entries_arm(struct rt_entries *entries)
{
	return -EOPNOTSUPP;
}

void rt_entries_free(struct rt_entries *entries)
{
}

void rt_entries_forget(const struct module *module, bool init_only)
{
}

void rt_entry_exit(void)
{
}

#endif
