/* SPDX-License-Identifier: GPL-2.0 */
/* watch_stepped.h - arm64: accesses that the kernel steps over. */
#ifndef RT_WATCH_STEPPED_H
#define RT_WATCH_STEPPED_H

#include <linux/types.h>

struct pt_regs;
struct rt_access;
struct rt_watch;
struct rt_watch_cpu;

/*
 * Whether this trap is of the same access as the last one on this CPU.  An interrupt may come before
 * the kernel has stepped over an access; then it traps once more.  The same instruction of the same
 * task with the same registers, and an interrupt since: that counts as the same access, and is
 * counted.  In user code no interrupt does that.
 */
bool rt_watch_stepped_again(struct rt_watch_cpu *mine, const struct pt_regs *regs);

/* The values of an access that the kernel performs, or that is not performed at all. */
void rt_watch_find_stepped(struct rt_watch *watch, struct rt_watch_cpu *mine, struct pt_regs *regs,
			   struct rt_access *access);

#endif
