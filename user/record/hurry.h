/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hurry.h - a higher priority while events are about to be lost.
 *
 * On a busy machine a recorder gets its fair share of the CPUs, which may be less than the events need.
 */
#ifndef RT_RECORD_HURRY_H
#define RT_RECORD_HURRY_H

#include <stdbool.h>
#include <stdint.h>

struct rt_hurry {
	bool looked;	/* `leave` is known */
	bool leave;	/* the user has chosen a priority, or the kernel allows no other */
	int priority;	/* of this thread: a nice value */
	uint64_t since; /* when it was urgent the last time */
};

/*
 * Call often: raise the priority of the calling thread if it is URGENT, and lower it when it has not been for a
 * while.  True: it has changed.
 */
bool rt_hurry_update(struct rt_hurry *h, bool urgent, uint64_t now);

#endif
