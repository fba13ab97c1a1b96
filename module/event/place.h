/* SPDX-License-Identifier: GPL-2.0 */
/*
 * place.h - the places where sessions have events.  A task that passes a place waits for all events
 * there, of all sessions, with preemption off, so their number and their cost together are limited.
 */
#ifndef RT_PLACE_H
#define RT_PLACE_H

#include <linux/types.h>

struct rt_place;
struct rt_refusal;

/* What rt_place_claim.key is.  Sources that are hit by the same occurrence share a kind. */
enum rt_place_kind {
	RT_PLACE_NOWHERE,	/* hits come one by one */
	RT_PLACE_CODE,		/* an instruction of the kernel */
	RT_PLACE_TRACEPOINT,	/* the address of the struct tracepoint, or its number */
	RT_PLACE_SYSCALL_ENTER, /* a number */
	RT_PLACE_SYSCALL_EXIT,
	RT_PLACE_FILE,	  /* an instruction of a file */
	RT_PLACE_COUNTED, /* enum rt_place_counted */
	RT_PLACE_ACCESS,  /* a word of memory */
};

/* What counters of perf_events are hit by.  The hits of all that count the same come together. */
enum rt_place_counted {
	RT_PLACE_PAGE_FAULT,
	/* With interrupts off: */
	RT_PLACE_CLOCK,
	RT_PLACE_CONTEXT_SWITCH,
	RT_PLACE_HARDWARE,
	/* The number of a software counter of the kernel is added: */
	RT_PLACE_SOFTWARE,
};

/* Where an event is, and what one hit of it costs. */
struct rt_place_claim {
	enum rt_place_kind kind;
	u64 key;
	u32 limit; /* events at this place */
	u64 cost;  /* in instructions */
};

/*
 * Count one more event at the place of CLAIM.  NULL: no place is needed; or an ERR_PTR(): no memory,
 * or one more event would be too many or too expensive.  May sleep.
 */
struct rt_place *rt_place_take(const struct rt_place_claim *claim, struct rt_refusal *refusal);

/* Remove an event of that COST from the place; PLACE may be NULL. */
void rt_place_leave(struct rt_place *place, u64 cost);

#endif
