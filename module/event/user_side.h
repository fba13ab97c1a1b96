/* SPDX-License-Identifier: GPL-2.0 */
/*
 * user_side.h - what a record carries of the current task's user side: frames, registers,
 * stack memory.  Any context; nothing here faults.
 */
#ifndef RT_USER_SIDE_H
#define RT_USER_SIDE_H

#include <linux/types.h>

#include <uapi/ringtail.h>

struct pt_regs;
struct rt_event;

#define RT_CARRY_USER (RT_CARRY_USER_STACK | RT_CARRY_USER_REGISTERS | RT_CARRY_USER_BYTES)

struct rt_user_side {
	struct pt_regs *regs; /* NULL: the task has no user side */
	u32 what;	      /* RT_USER_* */
	bool readable;	      /* the page tables in use are those of the task */
	u32 unsaved;	      /* so many first words of `regs` are not the task's */
	unsigned long *stack;
	u32 frames;
};

/* Once, at load, after rt_lookup_init(). */
void rt_user_side_init(void);

/*
 * Examine the user side of an event that fired at REGS and return the number of bytes that
 * rt_user_side_put() will write.  The record already has KERNEL_FRAMES frames.
 */
u32 rt_user_side_look(struct rt_user_side *user, const struct rt_event *event, struct pt_regs *regs,
		      u32 kernel_frames, u32 guard);
rt_payload_u64 *rt_user_side_put(const struct rt_user_side *user, const struct rt_event *event,
				 rt_payload_u64 *at);

#endif
