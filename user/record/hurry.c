// SPDX-License-Identifier: GPL-2.0
#include "record/hurry.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/lanes.h"
#include "record/recording.h"

enum { RAISED = -10 };

#define CALM 1000000000ULL /* ns without a ring that is half full */

static bool half_full(const struct rt_recording *r)
{
	const struct rt_cpuring *ring;
	uint32_t cpu;

	for (cpu = 0; cpu < r->session.cpus; cpu++) {
		ring = &r->session.events[cpu];
		if (ring->status && 2 * rt_cpuring_backlog(ring) >= ring->status->subbufs)
			return true;
	}
	return false;
}

static bool set(const struct rt_recording *r, int priority)
{
	bool done = !setpriority(PRIO_PROCESS, 0, priority);

	rt_lanes_priority(r->lanes, priority);
	return done;
}

void rt_hurry_update(struct rt_hurry *h, struct rt_recording *r, uint64_t now)
{
	if (!h->looked) {
		errno = 0;
		h->own = getpriority(PRIO_PROCESS, 0) != 0 || errno;
		h->looked = true;
	}
	if (h->own || h->refused)
		return;
	if (half_full(r)) {
		h->since = now;
		if (!h->raised) {
			h->raised = set(r, RAISED);
			h->refused = !h->raised;
		}
	} else if (h->raised && now - h->since >= CALM) {
		set(r, 0);
		h->raised = false;
	}
}
