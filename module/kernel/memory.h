/* SPDX-License-Identifier: GPL-2.0 */
/*
 * memory.h - the memory limit of all sessions together: rings, per-CPU counters, and the instances of
 * kretprobes, which the kernel allocates without charging anybody.
 */
#ifndef RT_MEMORY_H
#define RT_MEMORY_H

#include <linux/types.h>

u64 rt_memory_limit(void);
u64 rt_memory_used(void);

/* 0, or -ENOSPC with what is left in *LEFT, which may be NULL. */
int rt_memory_charge(u64 bytes, u64 *left);
void rt_memory_uncharge(u64 bytes);

/*
 * Whether the machine has BYTES to spare, without swapping and without killing anybody; what it has
 * available goes to *AVAILABLE, which may be NULL.  True also if this kernel does not tell.
 */
bool rt_memory_has(u64 bytes, u64 *available);

#endif
