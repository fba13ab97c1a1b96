/* SPDX-License-Identifier: GPL-2.0 */
/* order.h - the records of all rings, side-band included, to the file in the order of their times. */
#ifndef RT_RECORD_ORDER_H
#define RT_RECORD_ORDER_H

#include "record/recording.h"

/* Rings whose records are written in the order of their times. */
struct rt_order_front {
	struct rt_cpuring *ring; /* holds the oldest record of those found; NULL: none is left */
	uint64_t time;		 /* of that record */
	uint64_t next;		 /* of the oldest record of the other rings */
};

struct rt_order_front rt_order_oldest(struct rt_cpuring *rings, uint32_t cpus);

/*
 * Write records until nothing is left of those that one ring had: that ring may have more by now,
 * older than what the others have.  Return how many; 0 if there is none now.
 */
int rt_order_write(struct rt_recording *r);
/* The same for side-band records alone, if they are older than UNTIL. */
int rt_order_side(struct rt_recording *r, uint64_t until);
/*
 * Write the first of the records found in a ring, and those after it that are older than UNTIL; add
 * their number to WRITTEN.
 */
int rt_order_run(struct rt_recording *r, struct rt_cpuring *ring, uint64_t until, int *written);

#endif
