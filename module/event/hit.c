// SPDX-License-Identifier: GPL-2.0
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

#include "channel.h"
#include "event.h"
#include "guard.h"
#include "hit.h"
#include "hit_parts.h"
#include "pids.h"
#include "kernel/registers.h"
#include "ring/ring_reserve.h"
#include "stack.h"
#include "target.h"
#include "user_side.h"

/* preempt_count() where the event fired, without what the path to the handler added. */
static __always_inline u32 preempt_count_at_event(const struct rt_hit *hit)
{
	return preempt_count() - hit->depth - PREEMPT_DISABLE_OFFSET;
}

static __always_inline u32 flags_at_event(const struct rt_hit *hit)
{
	if (!hit->regs)
		return irqs_disabled() ? RT_HEAD_IRQS_OFF : 0;
	return (rt_registers_irqs_off(hit->regs) ? RT_HEAD_IRQS_OFF : 0) |
	       (user_mode(hit->regs) ? RT_HEAD_USER : 0);
}

static __always_inline bool unwanted(struct rt_hit *hit)
{
	struct rt_event *event = hit->event;

	if (event->channel->targets.any &&
	    !rt_target_wants(&event->channel->targets, hit->context.level))
		return true;
	return event->filtered && event->filter.early &&
	       !rt_filter_run(&event->filter, &hit->context, NULL, 0);
}

DEFINE_PER_CPU(struct rt_guards, rt_guards);

bool rt_hit_inside(void)
{
	return rt_guard_interrupted();
}
NOKPROBE_SYMBOL(rt_hit_inside);

void rt_hit_lose(struct rt_event *event, int cause)
{
	struct rt_event_count *count;

	preempt_disable_notrace();
	if (READ_ONCE(event->channel->gate)) {
		count = this_cpu_ptr(event->count);
		count_up(&count->entered);
		count_up(&count->lost[cause]);
	}
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(rt_hit_lose);

void rt_hit_leave_out(struct rt_event *event)
{
	struct rt_event_count *count;

	preempt_disable_notrace();
	if (READ_ONCE(event->channel->gate)) {
		count = this_cpu_ptr(event->count);
		count_up(&count->entered);
		count_up(&count->filtered);
	}
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(rt_hit_leave_out);

static __always_inline bool begin(struct rt_hit *hit, struct rt_event *event, bool apart)
{
	struct rt_channel *channel = event->channel;
	struct rt_event_count *count;
	struct rt_ring *ring;
	u32 preempt, level;
	rt_guard_t guard;

	BUILD_BUG_ON(offsetof(struct rt_hit, ip) != offsetof(struct rt_hit, context.ip) ||
		     offsetof(struct rt_hit, caller) != offsetof(struct rt_hit, context.caller));
	preempt_disable_notrace();
	if (unlikely(!READ_ONCE(channel->gate)))
		goto out;
	count = this_cpu_ptr(event->count);
	ring = raw_cpu_read(channel->cpu->ring);
	count_up(&count->entered);
	if (unlikely(!ring)) {
		/* The CPU came online when there was no memory for its ring. */
		count_up(&count->lost[RT_LOST_NO_RING]);
		goto out;
	}
	preempt = preempt_count_at_event(hit);
	level = level_of(preempt);
	/* The interrupted code may be a handler of ours: use the guard of our own level. */
	guard = rt_guard_of(apart ? level_of(preempt_count()) : level);
	if (unlikely(!rt_guard_enter(guard))) {
		rt_ring_lose(ring, RT_LOST_RECURSION);
		count_up(&count->lost[RT_LOST_RECURSION]);
		goto out;
	}
	hit->event = event;
	hit->count = count;
	hit->ring = ring;
	hit->guard = guard;
	hit->preempt = preempt;
	hit->context.level = level;
	if (likely(!event->selective) || !unwanted(hit))
		return true;
	count_up(&count->filtered);
	if (rt_target_is_agent(&channel->targets, level))
		count_up(&count->own);
	rt_guard_exit(guard);
out:
	preempt_enable_notrace();
	return false;
}

static __always_inline u32 head_of(const struct rt_hit *hit, u32 preempt)
{
	return head_with(rt_pids_current(hit->event->channel), hit->context.level,
			 flags_at_event(hit), preempt);
}

static noinline void *hit_lose(struct rt_hit *hit, int cause)
{
	count_up(&hit->count->lost[cause]);
	rt_guard_exit(hit->guard);
	preempt_enable_notrace();
	return NULL;
}
NOKPROBE_SYMBOL(hit_lose);

static __always_inline u32 *reserve_head(struct rt_hit *hit, u32 bytes, u32 size, u32 preempt)
{
	u32 *at, *record;
	int cause;

	at = rt_ring_reserve_here(hit->ring, hit->event->id, bytes + size, &record, &cause);
	if (unlikely(!at))
		return hit_lose(hit, cause);
	*at++ = head_of(hit, preempt);
	hit->record = record;
	hit->size = size;
	return at;
}

/* The depth does not fit into the head: use one more word. */
static noinline void *reserve_deeper(struct rt_hit *hit, u32 more, u32 size)
{
	u32 *at = reserve_head(hit, 2 * sizeof(u32) + more, size, RT_HEAD_DEEPER);

	if (at)
		*at++ = preempt_depth(hit->preempt);
	return at;
}
NOKPROBE_SYMBOL(reserve_deeper);

/* Reserve the head, MORE bytes and the fields; write the head and return where MORE begins. */
static __always_inline void *reserve(struct rt_hit *hit, u32 more, u32 size)
{
	u32 preempt = preempt_depth(hit->preempt);

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

/* For a record with a stack or registers before the fields. */
static noinline void *reserve_carrying(struct rt_hit *hit, u32 size)
{
	struct rt_event *event = hit->event;
	u32 more = 0, frames = 0;
	u32 here = rt_guard_level(hit->guard);
	unsigned long *stack = NULL;
	struct rt_user_side user;
	rt_payload_u64 *at;

	if (event->carry & RT_CARRY_STACK) {
		stack = raw_cpu_read(event->channel->cpu->scratch) + here * RT_STACK_MAX;
		frames = rt_stack_walk(stack, event->stack_max, hit->regs, hit->linked);
		/* A trap has moved the address, or a trampoline has replaced it. */
		if (hit->top && frames)
			stack[0] = hit->top;
		more += (1 + frames) * sizeof(u64);
	}
	if (event->carry & RT_CARRY_REGISTERS)
		more += RT_PORT_REGISTERS * sizeof(u64);
	if (event->carry & RT_CARRY_USER) {
		more += rt_user_side_look(&user, event, hit->regs, frames, here);
		if (hit->top && user.frames && user_mode(hit->regs))
			user.stack[0] = hit->top;
	}
	if (event->carry & RT_CARRY_ADDRESS)
		more += sizeof(u64);

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
	if (event->carry & RT_CARRY_ADDRESS)
		*at++ = hit->address;
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
	rt_guard_t guard = hit->guard;

	if (unlikely(event->filtered) && !event->filter.early &&
	    !rt_filter_run(&event->filter, &hit->context, hit->fields, hit->size)) {
		rt_ring_cancel(ring, hit->record);
		count_up(&count->filtered);
	} else {
		rt_ring_commit(ring, hit->record);
		count_up(&count->written);
	}
	rt_guard_exit(guard);
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
	/* Without strings the size is known in advance. */
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
	/* The event fired here, whatever registers the programs read. */
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
