/* SPDX-License-Identifier: GPL-2.0 */
/* hit_parts.h - the steps that every path of a hit has: hit.c and hit_fast.h. */
#ifndef RT_HIT_PARTS_H
#define RT_HIT_PARTS_H

#include <linux/hardirq.h>
#include <linux/preempt.h>
#include <linux/types.h>

#include <uapi/ringtail.h>

#include "ring/ring_port.h"

/*
 * Counters are per CPU, and nested contexts update the same ones.  So each update is one
 * instruction, or one exclusive pair, that an interrupt cannot split.
 */
#define count_up(p) rt_inc_local(p)

/* The level of a preempt_count(). */
static __always_inline u32 level_of(u32 count)
{
	if (likely(!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return RT_LEVEL_TASK;
	if (count & NMI_MASK)
		return RT_LEVEL_NMI;
	if (count & HARDIRQ_MASK)
		return RT_LEVEL_HARDIRQ;
	return RT_LEVEL_SOFTIRQ;
}

/* The part of a preempt_count() that counts who has disabled preemption. */
static __always_inline u32 preempt_depth(u32 count)
{
	BUILD_BUG_ON(PREEMPT_MASK != 0xff);
	return (u8)count;
}

/* The head of a record, for a depth below RT_HEAD_DEEPER or this value. */
static __always_inline u32 head_with(u32 tid, u32 level, u32 flags, u32 depth)
{
	BUILD_BUG_ON(RT_HEAD_TID(~0U) < PID_MAX_LIMIT - 1);
	return tid | level << RT_HEAD_LEVEL_SHIFT | flags | depth << RT_HEAD_PREEMPT_SHIFT;
}

#endif
