/* SPDX-License-Identifier: GPL-2.0 */
/* order.h - the records of all rings, side-band included, to the file in the order of their times. */
#ifndef RT_RECORD_ORDER_H
#define RT_RECORD_ORDER_H

#include "record/recording.h"

/*
 * Write records until nothing is left of those that one ring had: that ring may have more by now,
 * older than what the others have.  Return how many; 0 if there is none now.
 */
int rt_order_write(struct rt_recording *r);
/* The same for side-band records alone. */
int rt_order_side(struct rt_recording *r);
/*
 * Write the first of the records found in a ring, and those after it that are older than UNTIL; add
 * their number to WRITTEN.
 */
int rt_order_run(struct rt_recording *r, struct rt_cpuring *ring, uint64_t until, int *written);

#endif
