/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_value.h - the watched bytes as a number, now and at the last access.
 */
#ifndef RT_WATCH_VALUE_H
#define RT_WATCH_VALUE_H

#include <linux/compiler.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "compat/traps.h"
#include "program/program_port.h"
#include "watch.h"
#include "watch_access.h"

bool rt_watch_read_user(const struct rt_watch *watch, u64 *value);

/* The watched bytes as a number; false if they cannot be read now. */
static __always_inline bool rt_watch_read_now(const struct rt_watch *watch, u64 *value)
{
	unsigned long debug;
	bool read;
	u64 word;

	*value = 0;
	if (unlikely(watch->user))
		return rt_watch_read_user(watch, value);
	/* They do not cross a multiple of 8. */
	debug = rt_compat_debug_off();
	read = rt_compat_peek_u64(&word, watch->address & ~7UL);
	rt_compat_debug_on(debug);
	if (!read)
		return false;
	*value = word >> watch->shift & watch->mask;
	return true;
}

/*
 * Identifies the memory; 0: the kernel's.  It includes the process id because a new process may get the
 * mm_struct of one that has ended.
 */
static __always_inline u64 rt_watch_memory_of(const struct rt_watch *watch)
{
	if (likely(!watch->user))
		return 0;
	return (unsigned long)current->mm + ((u64)current->tgid << 32);
}

static __always_inline void rt_watch_keep_last(struct rt_watch *watch,
					       const struct rt_access *access)
{
	watch->last_memory = rt_watch_memory_of(watch);
	watch->last_known = !(access->flags & RT_WATCH_NO_NEW);
}

#endif
