/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_do.h - arm64: the handler performs an access that has trapped.
 *
 * Otherwise the kernel would step over the access with all watches off.  Then an interrupt before the
 * step makes the same access trap again, other CPUs can write between the handler and the step, and a
 * store-exclusive never succeeds.  None of that happens if the handler performs the access, and it
 * costs less than the step.
 */
#ifndef RT_WATCH_DO_H
#define RT_WATCH_DO_H

#include <linux/ptrace.h>
#include <linux/types.h>

#include "a64_access.h"
#include "watch.h"
#include "watch_access.h"

/* Bits of pstate that end with an instruction: where it was branched from, and its step. */
#define RT_PSTATE_BTYPE (3UL << 10)
#define RT_PSTATE_STEP	(1UL << 21)

/* Move past the instruction, as if the CPU had executed it. */
static __always_inline void rt_watch_done(struct pt_regs *regs)
{
	regs->pc += 4;
	/* A single step, of a task or over a probed instruction, ends after it. */
	regs->pstate &= ~(RT_PSTATE_BTYPE | RT_PSTATE_STEP);
}

/* OLD with the bytes replaced that the access stores, which are in IMAGE. */
u64 rt_watch_overlay(const struct rt_watch *watch, const struct rt_a64_access *a, const u8 *image,
		     u64 old);

/*
 * Perform the access: store the bytes of IMAGE, run an atomic operation, or load; then update the
 * registers.  False: this kind is not supported, and nothing has changed.
 */
bool rt_watch_do(const struct rt_watch *watch, struct pt_regs *regs, const struct rt_a64_access *a,
		 const u8 *image, struct rt_access *access);

/* The load-exclusive or store-exclusive at pc. */
void rt_watch_do_exclusive(const struct rt_watch *watch, struct pt_regs *regs,
			   struct rt_access *access);

#endif
