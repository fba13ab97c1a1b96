/* SPDX-License-Identifier: GPL-2.0 */
/* recover.h - what an earlier boot left in the memory that this one has left alone. */
#ifndef RT_FLIGHT_RECOVER_H
#define RT_FLIGHT_RECOVER_H

#include "base/error.h"
#include "image/memory.h"
#include "ringtail.h"

/*
 * Open what an earlier boot left, the newest first: TURN is 0, then 1.  -ENODATA with ERR: there is no more.  The memory
 * has the addresses of that boot and owns FD, also on failure.
 */
int rt_flight_recover(int fd, unsigned int turn, struct rt_kept *kept, struct rt_memory **out,
		      struct rt_err *err);

#endif
