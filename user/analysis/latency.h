/* SPDX-License-Identifier: GPL-2.0 */
/*
 * latency.h - the time between two events that belong together: a system call and its return, an
 * interrupt's entry and exit, a block request's issue and completion, a wake-up and the switch to
 * the task, a probe and its return probe.
 */
#ifndef RT_ANALYSIS_LATENCY_H
#define RT_ANALYSIS_LATENCY_H

#include "analysis/spread.h"
#include "base/error.h"
#include "perfdata/read/sample.h"

struct rt_latency;

/* One kind of pair. */
struct rt_latency_pair {
	char *start, *end;	 /* names of the events */
	struct rt_spread spread; /* nanoseconds */
	uint64_t unfinished;	 /* starts without an end, and pairs with a loss between them */
};

struct rt_latency *rt_latency_new(bool swapped); /* NULL: no memory */
void rt_latency_free(struct rt_latency *l);

/* What an event starts and ends. */
struct rt_latency_event;

/*
 * Find out what an event starts and ends, in *FOUND; NULL: nothing.  0 or -ENOMEM.  EVENTS are those
 * of the recording.
 */
int rt_latency_of(struct rt_latency *l, const struct rt_perf_events *events,
		  const struct rt_perf_event *event, struct rt_latency_event **found);
/* Look at a sample of such an event; 0 or -ENOMEM. */
int rt_latency_add(const struct rt_latency *l, struct rt_latency_event *e,
		   const struct rt_sample *s);
/* Records were lost: an end may be among them. */
void rt_latency_lost(struct rt_latency *l);

/* The pairs that the recording has; NULL behind the last. */
const struct rt_latency_pair *rt_latency_get(struct rt_latency *l, size_t i);

#endif
