// SPDX-License-Identifier: GPL-2.0
#include "record/hurry.h"

#include <errno.h>
#include <sys/resource.h>

/*
 * The highest of the usual priorities.  It leaves the recorder most of a CPU that 64 other tasks keep busy;
 * nice -10 was too little beside 16.
 */
enum { RAISED = -20 };

#define MSEC 1000000ULL
#define CALM (1000 * MSEC) /* after the last urgent moment */
/* As long may a task of usual priority wait for its CPU: behind 64 others, 4 ms each. */
#define SOON (250 * MSEC)
/* A shorter time says little about a rate. */
#define SPAN_MIN MSEC
/* After a longer time, all may have come in its last moments, when a storm began. */
#define SPAN_MAX (50 * MSEC)

/* Below the watermark there is no hurry: the module has not even woken the reader. */
static bool full_soon(struct rt_cpuring *ring, uint64_t span)
{
	uint64_t growth = rt_cpuring_growth(ring), backlog = rt_cpuring_backlog(ring), room;

	if (!growth || backlog < ring->status->watermark)
		return false;
	room = ring->status->subbufs > backlog ? ring->status->subbufs - backlog : 0;
	return room * span < SOON * growth;
}

bool rt_hurry_urgent(struct rt_hurry *h, struct rt_agent_session *s, uint64_t now)
{
	uint64_t span = now - h->before;
	bool urgent = false;
	uint32_t cpu;

	if (span < SPAN_MIN)
		return false;
	if (span > SPAN_MAX)
		span = SPAN_MAX;
	h->before = now;
	for (cpu = 0; cpu < s->cpus; cpu++)
		urgent |= full_soon(&s->events[cpu], span);
	return urgent;
}

bool rt_hurry_update(struct rt_hurry *h, bool urgent, uint64_t now)
{
	int want = h->priority;

	if (!h->looked) {
		errno = 0;
		h->leave = getpriority(PRIO_PROCESS, 0) != 0 || errno;
		h->looked = true;
		/* Nobody knows yet what will come. */
		urgent = true;
	}
	if (urgent) {
		h->since = now;
		want = RAISED;
	} else if (now - h->since >= CALM) {
		want = 0;
	}
	if (h->leave || want == h->priority)
		return false;
	h->leave = setpriority(PRIO_PROCESS, 0, want) != 0;
	if (!h->leave)
		h->priority = want;
	return !h->leave;
}
