/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_memory.h - arm64: read and write watched memory in place of an instruction.  USER: the task's
 * memory, else the kernel's.  All return 0 or an error; on error nothing has been written.
 */
#ifndef RT_WATCH_MEMORY_H
#define RT_WATCH_MEMORY_H

#include <linux/types.h>

struct rt_watch;

/* At most 8 bytes, in one access of the given width. */
int rt_watch_load(bool user, u64 address, u32 size, u64 *value);
int rt_watch_store(bool user, u64 address, u32 size, u64 value);

/* Atomically store NEW if memory holds OLD; *WAS is what it held.  The second works on 16 bytes. */
int rt_watch_exchange(bool user, u64 address, u32 size, u64 old, u64 new, u64 *was);
int rt_watch_exchange_pair(bool user, u64 address, const u64 *old, const u64 *new, u64 *was);

/* Swap all watched bytes atomically (watch->swaps); returns the old value. */
u64 rt_watch_swap(const struct rt_watch *watch, u64 value);

/* Whether swapping works: only in cacheable memory, since elsewhere exclusives may fault. */
bool rt_watch_can_swap(u64 address);

#endif
