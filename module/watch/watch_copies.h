/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_copies.h - a watch of a per-CPU variable: each CPU watches its own copy.
 *
 * Each copy has an address and values of its own, so it is a struct rt_watch for the handlers of its
 * CPU.  All copies belong to the watch that owns the event, the registers and the counts.
 */
#ifndef RT_WATCH_COPIES_H
#define RT_WATCH_COPIES_H

#include <linux/smp.h>
#include <linux/types.h>

#include "watch.h"

struct rt_event;
struct rt_event_add;

/* Where a copy of the variable at ADDRESS, as the kernel lists it, is. */
u64 rt_watch_copy_address(u64 address, u32 cpu);

/*
 * Of RT_WATCHPOINT_ONE_CPU: put the address of the copy into ADD, which then is an ordinary watch.
 * -EINVAL: there is no such CPU.
 */
int rt_watch_copy_choose(struct rt_event_add *add);

int rt_watch_copies_make(struct rt_watch *watch);
/* Before the watch is armed: the copies get what changed in WATCH, and their first values. */
void rt_watch_copies_start(struct rt_watch *watch);

/* What is watched on a CPU. */
static __always_inline struct rt_watch *rt_watch_on(struct rt_watch *watch, u32 cpu)
{
	return watch->copies ? &watch->copies[cpu] : watch;
}

#endif
