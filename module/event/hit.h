/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hit.h - the path of one hit from a source's handler into the ring.
 *
 *	struct rt_hit hit = { .regs = regs, .ip = ip };
 *
 *	if (!rt_hit_begin(&hit, event))
 *		return;
 *	fields = rt_hit_reserve(&hit, size);
 *	if (!fields)
 *		return;
 *	... fill the fields ...
 *	rt_hit_commit(&hit);
 *
 * Preemption is off from rt_hit_begin() to rt_hit_commit().  Where either of the first two fails,
 * it is on again, and the hit has been counted: as filtered, or as lost with its cause.
 */
#ifndef RT_HIT_H
#define RT_HIT_H

#include <linux/types.h>

#include "guard.h"
#include "program/program.h"

struct pt_regs;
struct rt_event;
struct rt_event_count;
struct rt_ring;

struct rt_hit {
	/* Set by the caller: where the event fired. */
	union {
		struct {
			struct pt_regs *regs; /* NULL: only the caller is known */
			u64 ip;
			u64 caller;
		};
		struct rt_program_context context; /* begins with the same members */
	};
	u64 top;     /* first address of the stack; 0: what the walk finds */
	u64 address; /* for RT_CARRY_ADDRESS; not set by sources that do not support it */
	bool linked; /* no frame has the caller: see rt_stack_walk() */
	u32 depth;   /* what the path from the event to the handler has added to preempt_count() */

	/* Set by rt_hit_begin() and rt_hit_reserve(). */
	struct rt_event *event;
	struct rt_event_count *count;
	struct rt_ring *ring;
	u32 *record;
	void *fields;
	u32 size;	  /* of the fields */
	rt_guard_t guard; /* of the level at which the handler runs */
	u32 preempt;	  /* preempt_count() where the event fired */
};

bool rt_hit_begin(struct rt_hit *hit, struct rt_event *event);
/* The same for an interrupt whose event is the interrupted place. */
bool rt_hit_begin_apart(struct rt_hit *hit, struct rt_event *event);
void *rt_hit_reserve(struct rt_hit *hit, u32 size);
/* rt_hit_begin() and rt_hit_reserve() in one, for a size known in advance; NULL if either fails. */
void *rt_hit_take(struct rt_hit *hit, struct rt_event *event, u32 size);
void rt_hit_commit(struct rt_hit *hit);

/* In NMI context: whether it interrupted another hit, of any session. */
bool rt_hit_inside(void);

/* Count a hit as lost without recording it. */
void rt_hit_lose(struct rt_event *event, int cause);

/* Count a hit as filtered without recording it. */
void rt_hit_leave_out(struct rt_event *event);

/* Begin, reserve and commit, for sources whose fields come from a fetch program. */
void rt_hit_fetch(struct rt_hit *hit, struct rt_event *event);

/* The same if the programs read other registers than those where the event fired. */
void rt_hit_fetch_from(struct rt_hit *hit, struct rt_event *event, struct pt_regs *values);

#endif
