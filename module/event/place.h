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

/* Where an event is, and what one hit of it costs. */
struct rt_place_claim {
	const void *source; /* each source has its own places */
	u64 key;
	u32 limit; /* events at this place; 0: hits come one by one, no place is needed */
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
