// SPDX-License-Identifier: GPL-2.0
#include <linux/hardirq.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

#include "event.h"
#include "hit.h"
#include "registers.h"
#include "ring_reserve.h"
#include "session.h"
#include "stack.h"
#include "target.h"
#include "user_side.h"

/*
 * Counters are per CPU and nested contexts count on the same ones: one instruction, or
 * one exclusive pair, that an interrupt cannot come between.
 */
#define count_up(p) rt_inc_local(p)

/* preempt_count() of the place where the event fired, without what led to us. */
static __always_inline u32 count_there(const struct rt_hit *hit)
{
	return preempt_count() - hit->depth - PREEMPT_DISABLE_OFFSET;
}

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

static __always_inline u32 flags_there(const struct rt_hit *hit)
{
	if (!hit->regs)
		return irqs_disabled() ? RT_HEAD_IRQS_OFF : 0;
	return (rt_registers_irqs_off(hit->regs) ? RT_HEAD_IRQS_OFF : 0) |
	       (user_mode(hit->regs) ? RT_HEAD_USER : 0);
}

static __always_inline bool unwanted(struct rt_hit *hit)
{
	struct rt_event *event = hit->event;

	if (event->session->targets.any &&
	    !rt_target_wants(&event->session->targets, hit->context.level, event->sees_agent))
		return true;
	return event->filtered && event->filter.early &&
	       !rt_filter_run(&event->filter, &hit->context, NULL, 0);
}

bool rt_hit_inside(const struct rt_event *event)
{
	struct rt_ring *ring = READ_ONCE(event->session->ring[raw_smp_processor_id()]);

	return ring && rt_ring_interrupted(ring);
}
NOKPROBE_SYMBOL(rt_hit_inside);

void rt_hit_lose(struct rt_event *event, int cause)
{
	struct rt_event_count *count;

	preempt_disable_notrace();
	if (READ_ONCE(event->session->gate)) {
		count = this_cpu_ptr(event->count);
		count_up(&count->entered);
		count_up(&count->lost[cause]);
	}
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(rt_hit_lose);

static __always_inline bool begin(struct rt_hit *hit, struct rt_event *event, bool apart)
{
	struct rt_session *session = event->session;
	struct rt_event_count *count;
	struct rt_ring *ring;
	u32 there, level, guard;

	BUILD_BUG_ON(offsetof(struct rt_hit, ip) != offsetof(struct rt_hit, context.ip) ||
		     offsetof(struct rt_hit, caller) != offsetof(struct rt_hit, context.caller));
	preempt_disable_notrace();
	if (unlikely(!READ_ONCE(session->gate)))
		goto out;
	count = this_cpu_ptr(event->count);
	ring = READ_ONCE(session->ring[raw_smp_processor_id()]);
	count_up(&count->entered);
	if (unlikely(!ring)) {
		/* This CPU came while its ring could not be had. */
		count_up(&count->lost[RT_LOST_NO_RING]);
		goto out;
	}
	there = count_there(hit);
	level = level_of(there);
	/* What we interrupted may be a handler of ours: the guard is that of where we run. */
	guard = apart ? level_of(preempt_count()) : level;
	if (unlikely(!rt_ring_enter(ring, guard))) {
		count_up(&count->lost[RT_LOST_RECURSION]);
		goto out;
	}
	hit->event = event;
	hit->count = count;
	hit->ring = ring;
	hit->guard = guard;
	hit->there = there;
	hit->context.level = level;
	if (likely(!event->choosy) || !unwanted(hit))
		return true;
	count_up(&count->filtered);
	rt_ring_exit(ring, guard);
out:
	preempt_enable_notrace();
	return false;
}

static __always_inline u32 preempt_there(const struct rt_hit *hit)
{
	BUILD_BUG_ON(PREEMPT_MASK != 0xff);
	return (u8)hit->there;
}

static __always_inline u32 head_of(const struct rt_hit *hit, u32 preempt)
{
	BUILD_BUG_ON(RT_HEAD_TID(~0U) < PID_MAX_LIMIT - 1);
	return (u32)current->pid | hit->context.level << RT_HEAD_LEVEL_SHIFT | flags_there(hit) |
	       preempt << RT_HEAD_PREEMPT_SHIFT;
}

static noinline void *lose(struct rt_hit *hit, int cause)
{
	count_up(&hit->count->lost[cause]);
	rt_ring_exit(hit->ring, hit->guard);
	preempt_enable_notrace();
	return NULL;
}
NOKPROBE_SYMBOL(lose);

static __always_inline u32 *reserve_head(struct rt_hit *hit, u32 bytes, u32 size, u32 preempt)
{
	u32 *at, *record;
	int cause;

	at = rt_ring_reserve_here(hit->ring, hit->event->id, bytes + size, &record, &cause);
	if (unlikely(!at))
		return lose(hit, cause);
	*at++ = head_of(hit, preempt);
	hit->record = record;
	hit->size = size;
	return at;
}

/* Deeper than the head can say: a word more. */
static noinline void *reserve_deeper(struct rt_hit *hit, u32 more, u32 size)
{
	u32 *at = reserve_head(hit, 2 * sizeof(u32) + more, size, RT_HEAD_DEEPER);

	if (at)
		*at++ = preempt_there(hit);
	return at;
}
NOKPROBE_SYMBOL(reserve_deeper);

/* Room for the head, MORE bytes and the fields.  The head is written; MORE begins where it says. */
static __always_inline void *reserve(struct rt_hit *hit, u32 more, u32 size)
{
	u32 preempt = preempt_there(hit);

	if (unlikely(preempt >= RT_HEAD_DEEPER))
		return reserve_deeper(hit, more, size);
	return reserve_head(hit, sizeof(u32) + more, size, preempt);
}

/* Registers as the programs number them: the words of struct pt_regs. */
static __always_inline rt_payload_u64 *put_registers(rt_payload_u64 *at, const struct rt_hit *hit)
{
	memcpy(at, hit->regs, RT_PORT_REGISTERS * sizeof(*at));
	if (hit->top)
		at[RT_REGISTERS_PC] = hit->top;
	return at + RT_PORT_REGISTERS;
}

/* With a stack or registers in front of the fields. */
static noinline void *reserve_carrying(struct rt_hit *hit, u32 size)
{
	struct rt_event *event = hit->event;
	u32 more = 0, frames = 0;
	unsigned long *stack = NULL;
	struct rt_user_side user;
	rt_payload_u64 *at;

	if (event->carry & RT_CARRY_STACK) {
		stack = event->session->scratch[raw_smp_processor_id()] + hit->guard * RT_STACK_MAX;
		frames = rt_stack_walk(stack, event->stack_max, hit->regs, hit->entry);
		/* Where a trap has moved on, or a trampoline stands. */
		if (hit->top && frames)
			stack[0] = hit->top;
		more += (1 + frames) * sizeof(u64);
	}
	if (event->carry & RT_CARRY_REGISTERS)
		more += RT_PORT_REGISTERS * sizeof(u64);
	if (event->carry & RT_CARRY_USER) {
		more += rt_user_side_look(&user, event, hit->regs, frames, hit->guard);
		if (hit->top && user.frames && user_mode(hit->regs))
			user.stack[0] = hit->top;
	}

	at = reserve(hit, more, size);
	if (!at)
		return NULL;
	if (stack) {
		*at++ = frames;
		memcpy(at, stack, frames * sizeof(*at));
		at += frames;
	}
	if (event->carry & RT_CARRY_REGISTERS)
		at = put_registers(at, hit);
	if (event->carry & RT_CARRY_USER)
		at = rt_user_side_put(&user, event, at);
	hit->fields = at;
	return at;
}
NOKPROBE_SYMBOL(reserve_carrying);

static __always_inline void *reserve_fields(struct rt_hit *hit, u32 size)
{
	if (unlikely(hit->event->carry))
		return reserve_carrying(hit, size);
	return hit->fields = reserve(hit, 0, size);
}

static __always_inline void commit(struct rt_hit *hit)
{
	struct rt_event_count *count = hit->count;
	struct rt_event *event = hit->event;
	struct rt_ring *ring = hit->ring;
	u32 guard = hit->guard;

	if (unlikely(event->filtered) && !event->filter.early &&
	    !rt_filter_run(&event->filter, &hit->context, hit->fields, hit->size)) {
		rt_ring_discard(ring, hit->record);
		count_up(&count->filtered);
	} else {
		rt_ring_commit(ring, hit->record);
		count_up(&count->written);
	}
	rt_ring_exit(ring, guard);
	preempt_enable_notrace();
}

bool rt_hit_begin(struct rt_hit *hit, struct rt_event *event)
{
	return begin(hit, event, false);
}
NOKPROBE_SYMBOL(rt_hit_begin);

bool rt_hit_begin_apart(struct rt_hit *hit, struct rt_event *event)
{
	return begin(hit, event, true);
}
NOKPROBE_SYMBOL(rt_hit_begin_apart);

void *rt_hit_reserve(struct rt_hit *hit, u32 size)
{
	return reserve_fields(hit, size);
}
NOKPROBE_SYMBOL(rt_hit_reserve);

void *rt_hit_take(struct rt_hit *hit, struct rt_event *event, u32 size)
{
	return likely(begin(hit, event, false)) ? reserve_fields(hit, size) : NULL;
}
NOKPROBE_SYMBOL(rt_hit_take);

void rt_hit_commit(struct rt_hit *hit)
{
	commit(hit);
}
NOKPROBE_SYMBOL(rt_hit_commit);

void rt_hit_fetch(struct rt_hit *hit, struct rt_event *event)
{
	const struct rt_code *fetch = &event->fetch;
	u32 size = 0;

	if (unlikely(!begin(hit, event, false)))
		return;
	/* Without strings the size is known beforehand. */
	if (fetch->insns)
		size = likely(!fetch->measure) ? fetch->fixed - RT_FIELD_BASE :
						 rt_fetch_size(fetch, &hit->context);
	if (unlikely(!reserve_fields(hit, size)))
		return;
	if (fetch->insns)
		rt_fetch_run(fetch, &hit->context, hit->fields, hit->size);
	commit(hit);
}
NOKPROBE_SYMBOL(rt_hit_fetch);

void rt_hit_fetch_from(struct rt_hit *hit, struct rt_event *event, struct pt_regs *values)
{
	const struct rt_code *fetch = &event->fetch;
	void *fields;
	u32 size = 0;

	hit->regs = values;
	if (unlikely(!begin(hit, event, false)))
		return;
	if (fetch->insns)
		size = rt_fetch_size(fetch, &hit->context);
	/* The place is here, whatever the programs look at. */
	hit->regs = NULL;
	fields = reserve_fields(hit, size);
	if (unlikely(!fields))
		return;
	hit->regs = values;
	if (fetch->insns)
		rt_fetch_run(fetch, &hit->context, fields, size);
	commit(hit);
}
NOKPROBE_SYMBOL(rt_hit_fetch_from);
