/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hit_fast.h - the shortest path of a hit, inlined into the probes of the busiest tracepoints.
 *
 *	struct rt_fast fast;
 *
 *	if (!rt_fast_fits(&fast, event, depth)) {
 *		... the path of hit.h ...
 *		return;
 *	}
 *	if (!rt_fast_take(&fast, event, size))
 *		return;
 *	... fill fast.fields ...
 *	rt_fast_commit(&fast);
 *
 * It serves events that are not `careful`: they have nothing but fields, no filter, no stack, no target
 * but "not the agent", no pid namespace but the initial one.  No address of struct rt_fast leaves the
 * probe, so that its members stay in registers.
 */
#ifndef RT_HIT_FAST_H
#define RT_HIT_FAST_H

#include <linux/irqflags.h>
#include <linux/sched.h>

#include "channel.h"
#include "event.h"
#include "guard.h"
#include "hit.h"
#include "hit_parts.h"
#include "ring/ring_reserve.h"

#define SHALLOW 31U /* depths up to this one */

struct rt_fast {
	struct rt_event_count *count;
	struct rt_subbuf *sub;
	u32 *record;
	void *fields;
	rt_guard_t guard;
	u32 preempt; /* preempt_count() where the event fired */
};

/* Whether the path serves this hit.  Nothing has been counted or disabled yet. */
static __always_inline bool rt_fast_fits(struct rt_fast *fast, const struct rt_event *event,
					 u32 depth)
{
	fast->preempt = preempt_count() - depth;
	/* One instruction less than a comparison; nobody disables preemption so often. */
	BUILD_BUG_ON(SHALLOW >= RT_HEAD_DEEPER);
	return likely(current->tgid != event->agent && !(preempt_depth(fast->preempt) & ~SHALLOW));
}

/* Room for SIZE bytes; false: the hit has been counted as lost, or the session takes none. */
static __always_inline bool rt_fast_take(struct rt_fast *fast, struct rt_event *event, u32 size)
{
	struct rt_channel *channel = event->channel;
	struct rt_ring *ring;
	u32 level, head, *at;
	int cause;

	preempt_disable_notrace();
	if (unlikely(!READ_ONCE(channel->gate)))
		goto out;
	fast->count = this_cpu_ptr(event->count);
	ring = raw_cpu_read(channel->cpu->ring);
	count_up(&fast->count->entered);
	if (unlikely(!ring)) {
		count_up(&fast->count->lost[RT_LOST_NO_RING]);
		goto out;
	}
	level = level_of(fast->preempt);
	fast->guard = rt_guard_of(level);
	if (unlikely(!rt_guard_enter(fast->guard))) {
		rt_ring_lose(ring, RT_LOST_RECURSION);
		count_up(&fast->count->lost[RT_LOST_RECURSION]);
		goto out;
	}
	head = head_with(0, level, 0, preempt_depth(fast->preempt));
	rt_hide(head); /* keep one value, not two */
	at = rt_ring_reserve_in(ring, event->id, sizeof(u32) + size, &fast->record, &fast->sub,
				&cause);
	if (unlikely(!at)) {
		count_up(&fast->count->lost[cause]);
		rt_guard_exit(fast->guard);
		goto out;
	}
	*at = head | head_with(current->pid, 0, irqs_disabled() ? RT_HEAD_IRQS_OFF : 0, 0);
	fast->fields = at + 1;
	return true;

out:
	preempt_enable_notrace();
	return false;
}

static __always_inline void rt_fast_commit(struct rt_fast *fast)
{
	rt_subbuf_commit(fast->sub, fast->record);
	count_up(&fast->count->written);
	rt_guard_exit(fast->guard);
	preempt_enable_notrace();
}

#endif
