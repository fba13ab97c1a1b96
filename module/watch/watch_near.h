/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_near.h - arm64: watches so near to each other that one access can touch both.
 *
 * The kernel calls only the watch that holds the reported address, or else the nearest one, and lets
 * the access pass all others.
 */
#ifndef RT_WATCH_NEAR_H
#define RT_WATCH_NEAR_H

#include <linux/types.h>

struct rt_watch;

/* The widest access: DC ZVA clears at most this many bytes. */
#define RT_WATCH_NEAR_BYTES 2048

/* A handler looks at no more than this many others, because their values are on its stack. */
#define RT_WATCH_NEAR_MAX 8

/* How many data watches are armed. */
extern u32 rt_watch_near_armed;

/* Call when a watch is armed and disarmed.  Handlers may see it for one more grace period. */
void rt_watch_near_add(struct rt_watch *watch);
void rt_watch_near_remove(struct rt_watch *watch);

/* In a handler: find the other watches nearby that are armed for this task; return their number. */
u32 rt_watch_near_find(const struct rt_watch *watch, struct rt_watch **found);

/* How many of them hold ADDRESS and watch for one of ACCESS: RT_ACCESS_*. */
u32 rt_watch_near_count(const struct rt_watch *watch, u64 address, u32 access);

/* In a handler: find the watches of kernel addresses within BYTES bytes from FROM. */
u32 rt_watch_near_touched(u64 from, u32 bytes, struct rt_watch **found);

#endif
