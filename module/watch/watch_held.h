/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_held.h - arm64: memory that the trap of a watch itself uses while it lasts.
 *
 * A trap in the kernel runs on the stack of the code that it interrupted: its frame lies directly
 * below the stack pointer, and the frames of its functions below that.  The trap also changes
 * counters at its beginning and changes them back at its end: the preemption count and others of
 * the current task, and those of this CPU.  A store that the handler performed there would
 * overwrite a frame in use, or would be changed back; and a return to the kernel does not restore
 * the stack pointer.  So the kernel steps over accesses to such memory, when the trap is over.
 */
#ifndef RT_WATCH_HELD_H
#define RT_WATCH_HELD_H

#include <linux/kernel_stat.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/thread_info.h>
#include <linux/types.h>

#include "program/program_port.h"

/*
 * A CPU's own variables lie within this many bytes of any one of them.  The kernel does not export
 * where they begin and end.  An access beside them that counts as one of them is stepped, which
 * costs more and is right, too.
 */
#define RT_WATCH_PERCPU_REACH (1UL << 20)

static __always_inline bool rt_watch_overlaps(u64 from, u64 bytes, u64 at, u64 length)
{
	return from < at + length && at < from + bytes;
}

/* The current stack below the stack pointer; with a shadow call stack, which grows up, above its own. */
static __always_inline bool rt_watch_held_stack(const struct pt_regs *regs, u64 from, u64 bytes)
{
	u64 sp = rt_port_untagged(regs->sp);

#ifdef CONFIG_SHADOW_CALL_STACK
	if (rt_watch_overlaps(from, bytes, rt_port_untagged(regs->regs[18]), PAGE_SIZE))
		return true;
#endif
	return rt_watch_overlaps(from, bytes, sp - THREAD_SIZE, THREAD_SIZE);
}

/*
 * In a handler: whether the contents of these bytes are those of the trap: its frames, and the
 * preemption count.
 */
static __always_inline bool rt_watch_is_lost(const struct pt_regs *regs, u64 from, u64 bytes)
{
	if (user_mode(regs))
		return false;
	return rt_watch_held_stack(regs, from, bytes) ||
	       rt_watch_overlaps(
		       from, bytes,
		       rt_port_untagged((unsigned long)&current_thread_info()->preempt_count), 8);
}

/* In a handler: whether the trap uses any of these bytes, so that it must end before the access. */
static __always_inline bool rt_watch_is_held(const struct pt_regs *regs, u64 from, u64 bytes)
{
	u64 mine = rt_port_untagged((unsigned long)raw_cpu_ptr(&kstat));

	if (user_mode(regs))
		return false;
	return rt_watch_held_stack(regs, from, bytes) ||
	       rt_watch_overlaps(from, bytes, rt_port_untagged((unsigned long)current),
				 sizeof(*current)) ||
	       rt_watch_overlaps(from, bytes, mine - RT_WATCH_PERCPU_REACH,
				 2 * RT_WATCH_PERCPU_REACH);
}

#endif
