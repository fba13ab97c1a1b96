/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lane.h - one of several threads that move events from the rings to the file (lanes.h): what it does
 * in a sweep.
 *
 *	rt_lane_prepare()    the recording's own thread, before the sweep
 *	rt_lane_begin()      the lane's thread
 *	rt_lane_take_turn()  again and again
 *	rt_lane_end()
 *	rt_lane_collect()    the recording's own thread, after the sweep
 */
#ifndef RT_RECORD_LANE_H
#define RT_RECORD_LANE_H

#include <pthread.h>
#include <stdint.h>

#include "record/recording.h"

/* What all lanes of a recording share. */
struct rt_lane_shared {
	pthread_mutex_t lock; /* of the lane that writes the side-band and names a moment */
	uint64_t until;	      /* the last moment named: every task older than this is known */
	bool *busy;	      /* of each CPU: a lane reads its ring */
	int64_t room;	      /* bytes that the file may still grow in this sweep */
};

struct rt_lane {
	struct rt_lane_shared *shared;
	const uint32_t *order; /* of all CPUs */
	uint32_t from, to;     /* its own CPUs: a part of it */
	/*
	 * A copy with a writer, a last task and counts of its own.  All else is shared and does not
	 * change during a sweep.
	 */
	struct rt_recording r;
	int written;	 /* records in this sweep */
	uint64_t events; /* events since the recording began */
	int ret;
	uint64_t until;	     /* the moment up to which it writes events */
	uint64_t flushed_at; /* when its buffer went to the file */
};

/* Whether the file has grown as much as it may: no lane writes more in this sweep. */
static inline bool rt_lane_full(const struct rt_lane_shared *shared)
{
	return __atomic_load_n(&shared->room, __ATOMIC_RELAXED) <= 0;
}

/* Sleep for as long as a lane that has nothing to do. */
void rt_lane_pause(void);

void rt_lane_prepare(struct rt_lane *lane, const struct rt_recording *r);
void rt_lane_begin(struct rt_lane *lane);
/* Write what may be written, but not for long; pause if that is nothing.  lane->ret says how it went. */
void rt_lane_take_turn(struct rt_lane *lane);
void rt_lane_end(struct rt_lane *lane);
/* Add what the lane has counted. */
void rt_lane_collect(struct rt_lane *lane, struct rt_recording *r);

#endif
