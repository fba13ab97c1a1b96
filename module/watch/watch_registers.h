/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_registers.h - take and return the debug registers of a watch, and find out who holds them.
 *
 * Call with the lock of the watch's kind held.
 */
#ifndef RT_WATCH_REGISTERS_H
#define RT_WATCH_REGISTERS_H

struct rt_refusal;
struct rt_watch;

/* For a kernel address: on all CPUs or on none.  Call with the kernel's hotplug lock held. */
int rt_watch_take(struct rt_watch *watch);
void rt_watch_give_back(struct rt_watch *watch);

/* ERR as a refusal; returns it. */
int rt_watch_explain(const struct rt_watch *watch, int err, struct rt_refusal *refusal);

#endif
