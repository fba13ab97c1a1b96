/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hit.h - the way of one hit from a source's handler into the ring.
 *
 *	if (!rt_hit_begin(&hit, event, regs))
 *		return;
 *	fields = rt_hit_reserve(&hit, size);
 *	if (!fields)
 *		return;
 *	... fill the fields ...
 *	rt_hit_commit(&hit);
 *
 * Preemption is off from begin to the end.  Wherever it ends early, the hit has been
 * counted: as filtered, or as lost with its cause.
 */
#ifndef RT_HIT_H
#define RT_HIT_H

#include <linux/types.h>

#include "program.h"

struct pt_regs;
struct rt_event;
struct rt_event_count;
struct rt_ring;

struct rt_hit {
	/* The caller's: where the event fired. */
	union {
		struct {
			struct pt_regs *regs; /* NULL: only the caller is known */
			u64 ip;
			u64 caller;
		};
		struct rt_program_context context; /* begins with the same */
	};
	u64 top;    /* what the stack shall begin with; 0: as it is walked */
	bool entry; /* regs are at the first instruction of a function */
	u32 depth;  /* preempt_count() that the source's way to us has added */

	/* Filled by begin, reserve and commit. */
	struct rt_event *event;
	struct rt_event_count *count;
	struct rt_ring *ring;
	u32 *record;
	void *fields;
	u32 size; /* of the fields */
	u32 guard;
	u32 there; /* preempt_count() where the event fired */
};

bool rt_hit_begin(struct rt_hit *hit, struct rt_event *event);
/* The same in an interrupt that tells of the place it interrupted. */
bool rt_hit_begin_apart(struct rt_hit *hit, struct rt_event *event);
void *rt_hit_reserve(struct rt_hit *hit, u32 size);
/* Both at once, where the size is known beforehand; NULL when either says no. */
void *rt_hit_take(struct rt_hit *hit, struct rt_event *event, u32 size);
void rt_hit_commit(struct rt_hit *hit);

/* In what runs as an NMI: whether it came inside another hit of the same session. */
bool rt_hit_inside(const struct rt_event *event);

/* A hit that its source does not want to record; counted as lost. */
void rt_hit_lose(struct rt_event *event, int cause);

/* All three, for sources whose fields come of a fetch program. */
void rt_hit_fetch(struct rt_hit *hit, struct rt_event *event);

/* The same where the programs look at other registers than those of the place. */
void rt_hit_fetch_from(struct rt_hit *hit, struct rt_event *event, struct pt_regs *values);

#endif
