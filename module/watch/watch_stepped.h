/* SPDX-License-Identifier: GPL-2.0 */
/* watch_stepped.h - arm64: accesses that the kernel steps over. */
#ifndef RT_WATCH_STEPPED_H
#define RT_WATCH_STEPPED_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "watch.h"
#include "watch_access.h"

struct pt_regs;

/*
 * Take a turn, before the access: a CPU that sees our value also sees our turn.  True: no other CPU is about
 * to make an access that was reported before.  rt_watch_access_end() follows.
 */
static __always_inline bool rt_watch_turn_begin(struct rt_watch *watch, struct rt_watch_cpu *mine,
						struct rt_access *access)
{
	/* Before the turn: who sees our turn, and not us at work, finds our access done. */
	atomic_inc(&watch->active);
	if (unlikely(mine->steps)) {
		mine->steps = false;
		atomic_dec(&watch->stepping);
	}
	access->turn = atomic_inc_return(&watch->turn);
	return atomic_read(&watch->active) == 1 && !atomic_read(&watch->stepping);
}

/* The access comes after the handler. */
static __always_inline void rt_watch_turn_steps(struct rt_watch *watch, struct rt_watch_cpu *mine)
{
	mine->alone = false;
	if (mine->steps)
		return;
	mine->steps = true;
	atomic_inc(&watch->stepping);
}

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
