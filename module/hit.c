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
#include "ring.h"
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
	if (count & NMI_MASK)
		return RT_LEVEL_NMI;
	if (count & HARDIRQ_MASK)
		return RT_LEVEL_HARDIRQ;
	if (count & SOFTIRQ_OFFSET)
		return RT_LEVEL_SOFTIRQ;
	return RT_LEVEL_TASK;
}

static __always_inline u8 flags_there(const struct rt_hit *hit)
{
	if (!hit->regs)
		return irqs_disabled() ? RT_HEAD_IRQS_OFF : 0;
	return (rt_registers_irqs_off(hit->regs) ? RT_HEAD_IRQS_OFF : 0) |
	       (user_mode(hit->regs) ? RT_HEAD_USER : 0);
}

static __always_inline void end(struct rt_hit *hit)
{
	rt_ring_exit(hit->ring, hit->guard);
	preempt_enable_notrace();
}

static __always_inline bool unwanted(struct rt_hit *hit)
{
	struct rt_event *event = hit->event;

	if (unlikely(event->session->targets.any) &&
	    !rt_target_wants(&event->session->targets, hit->context.level))
		return true;
	return event->filtered && event->filter.early &&
	       !rt_filter_run(&event->filter, &hit->context, NULL, 0);
}

static __always_inline bool begin(struct rt_hit *hit, struct rt_event *event, bool apart)
{
	struct rt_session *session = event->session;

	preempt_disable_notrace();
	if (!READ_ONCE(session->gate))
		goto out;
	hit->event = event;
	hit->count = this_cpu_ptr(event->count);
	hit->ring = READ_ONCE(session->ring[raw_smp_processor_id()]);
	count_up(&hit->count->entered);
	if (unlikely(!hit->ring)) {
		/* This CPU came while its ring could not be had. */
		count_up(&hit->count->lost[RT_LOST_NO_RING]);
		goto out;
	}
	hit->context.level = level_of(count_there(hit));
	/* What we interrupted may be a handler of ours: the guard is that of where we run. */
	hit->guard = apart ? level_of(preempt_count()) : hit->context.level;
	if (unlikely(!rt_ring_enter(hit->ring, hit->guard))) {
		count_up(&hit->count->lost[RT_LOST_RECURSION]);
		goto out;
	}
	hit->context.regs = hit->regs;
	hit->context.ip = hit->ip;
	hit->context.caller = hit->caller;
	if (likely(!unwanted(hit)))
		return true;
	count_up(&hit->count->filtered);
	rt_ring_exit(hit->ring, hit->guard);
out:
	preempt_enable_notrace();
	return false;
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

/* Registers as the programs number them: the words of struct pt_regs. */
static __always_inline u64 *put_registers(u64 *at, const struct pt_regs *regs)
{
	memcpy(at, regs, RT_PORT_REGISTERS * sizeof(*at));
	return at + RT_PORT_REGISTERS;
}

void *rt_hit_reserve(struct rt_hit *hit, u32 size)
{
	struct rt_event *event = hit->event;
	u32 bytes = sizeof(struct rt_record_head) + size, frames = 0, there;
	unsigned long *stack = NULL;
	struct rt_record_head *head;
	struct rt_user_side user;
	u64 *at;
	int cause;

	if (event->carry & RT_CARRY_STACK) {
		stack = event->session->scratch[raw_smp_processor_id()] + hit->guard * RT_STACK_MAX;
		frames = rt_stack_walk(stack, event->stack_max, hit->regs, hit->entry);
		/* Where a trap has moved on, or a trampoline stands. */
		if (hit->top && frames)
			stack[0] = hit->top;
		bytes += (1 + frames) * sizeof(u64);
	}
	if (event->carry & RT_CARRY_REGISTERS)
		bytes += RT_PORT_REGISTERS * sizeof(u64);
	if (event->carry & RT_CARRY_USER)
		bytes += rt_user_side_look(&user, event, hit->regs, frames, hit->guard);

	hit->record = rt_ring_reserve_why(hit->ring, event->id, bytes, &cause);
	if (unlikely(!hit->record)) {
		count_up(&hit->count->lost[cause]);
		end(hit);
		return NULL;
	}
	head = rt_record_payload(hit->record);
	there = count_there(hit);
	head->tid = current->pid;
	head->level = hit->context.level;
	head->flags = flags_there(hit);
	head->preempt = there & PREEMPT_MASK;

	at = (u64 *)(head + 1);
	if (stack) {
		*at++ = frames;
		memcpy(at, stack, frames * sizeof(*at));
		at += frames;
	}
	if (event->carry & RT_CARRY_REGISTERS)
		at = put_registers(at, hit->regs);
	if (event->carry & RT_CARRY_USER)
		at = rt_user_side_put(&user, event, at);
	hit->fields = at;
	hit->size = size;
	return at;
}
NOKPROBE_SYMBOL(rt_hit_reserve);

void rt_hit_commit(struct rt_hit *hit)
{
	struct rt_event *event = hit->event;

	if (event->filtered && !event->filter.early &&
	    !rt_filter_run(&event->filter, &hit->context, hit->fields, hit->size)) {
		rt_ring_discard(hit->ring, hit->record);
		count_up(&hit->count->filtered);
	} else {
		rt_ring_commit(hit->ring, hit->record);
		count_up(&hit->count->written);
	}
	end(hit);
}
NOKPROBE_SYMBOL(rt_hit_commit);

void rt_hit_fetch(struct rt_hit *hit, struct rt_event *event)
{
	const struct rt_code *fetch = &event->fetch;

	if (!rt_hit_begin(hit, event))
		return;
	if (!fetch->insns) {
		if (rt_hit_reserve(hit, 0))
			rt_hit_commit(hit);
		return;
	}
	if (!rt_hit_reserve(hit, rt_fetch_size(fetch, &hit->context)))
		return;
	rt_fetch_run(fetch, &hit->context, hit->fields, hit->size);
	rt_hit_commit(hit);
}
NOKPROBE_SYMBOL(rt_hit_fetch);
