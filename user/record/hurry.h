/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hurry.h - a higher priority while events are about to be lost.
 *
 * On a busy machine a recorder gets its fair share of the CPUs, which may be less than the events need, and
 * waits while each of the others has its share.  A ring that fills fast does not last that long.
 */
#ifndef RT_RECORD_HURRY_H
#define RT_RECORD_HURRY_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/session.h"

struct rt_hurry {
	bool looked;	 /* `leave` is known */
	bool leave;	 /* the user has chosen a priority, or the kernel allows no other */
	int priority;	 /* of this thread: a nice value */
	uint64_t since;	 /* when it was urgent the last time */
	uint64_t before; /* when rt_hurry_urgent() looked at the rings the last time */
};

/*
 * Whether a ring would be full soon, at the rate at which it has filled since the last call.  Call this before
 * events are read: while the reader waits for a CPU in the middle of its work, the rings can fill.
 */
bool rt_hurry_urgent(struct rt_hurry *h, struct rt_agent_session *s, uint64_t now);

/*
 * Call often: raise the priority of the calling thread if it is URGENT or if this is the first call, and lower it
 * when it has not been urgent for a while.  True: it has changed.
 */
bool rt_hurry_update(struct rt_hurry *h, bool urgent, uint64_t now);

#endif
