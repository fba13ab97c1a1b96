/* SPDX-License-Identifier: GPL-2.0 */
/*
 * live.h - a flight that runs on this machine: what it has recorded so far, and its rings as a
 * reader of a memory image would find them.
 */
#ifndef RT_FLIGHT_LIVE_H
#define RT_FLIGHT_LIVE_H

#include <stdio.h>

#include "base/error.h"
#include "image/memory.h"
#include "ringtail.h"

/*
 * Copy the session's anchor, tables and rings into a file without a name next to PATH, and open it as
 * memory.  The session goes on.  FD is a file of the session.
 */
int rt_flight_capture(int fd, const char *path, struct rt_memory **out, struct rt_err *err);

/* What a flight has done so far. */
struct rt_flight_state {
	struct rt_pinned pinned;
	bool locked;   /* the kernel is locked down: only the counts are known */
	uint32_t cpus; /* that have a ring */
	uint64_t entered, written, filtered;
	uint64_t lost[RT_LOST_CAUSES];
	uint64_t missed;	    /* hits that the kernel did not deliver, as far as it tells */
	uint64_t off_ns, off_times; /* of watches, see rt_counts */
	uint64_t overwritten;	    /* records */
	/* Nanoseconds back from now: every record since then is in the rings; the oldest one is. */
	uint64_t complete, oldest;
	/* Records of the last recent_ns, which is at most `complete`. */
	uint64_t recent, recent_ns;
};

int rt_flight_state(int fd, const struct rt_pinned *pinned, struct rt_flight_state *state,
		    struct rt_err *err);
/* Print it, for people. */
void rt_flight_print_state(const struct rt_flight_state *state, FILE *out);

#endif
