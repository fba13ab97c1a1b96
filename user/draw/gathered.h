/* SPDX-License-Identifier: GPL-2.0 */
/* gathered.h - what gather.c has gathered when gather_page.c and gather_slices.c write the page. */
#ifndef RT_DRAW_GATHERED_H
#define RT_DRAW_GATHERED_H

#include "analysis/latency.h"
#include "analysis/slices.h"
#include "analysis/timeline.h"
#include "analysis/values.h"
#include "draw/collect.h"
#include "draw/flame.h"
#include "draw/gather.h"

#define RT_GATHER_RUNS 64 /* a power of two */

/*
 * Samples that came lately and differ in nothing that the timeline tells apart.  They are counted
 * here and added to the timeline together.
 */
struct rt_gather_run {
	const struct rt_perf_event *event;
	const char *comm;
	int32_t tid;
	uint32_t cpu;
	uint32_t bucket;
	unsigned int shift; /* of the timeline for which the bucket was found */
	uint32_t count;
};

/* What is known of one event. */
struct rt_gathered {
	const struct rt_perf_event *event;
	uint64_t samples;
	bool plain; /* its samples have no values and no latencies */
	struct rt_flame flame;
	uint32_t *shown; /* by node of the flame graph: the frame that stands for it */
	size_t frames;	 /* that are drawn */
	uint64_t unit;	 /* divides the weights of all sums; 0: there are none */
};

struct rt_gather {
	struct rt_profile *profile;
	const struct rt_perf_events *events;
	struct rt_gathered **list; /* by the index of the event; NULL: no samples */
	size_t count;
	struct rt_collect_stats stats;
	uint64_t no_time, no_cpu; /* samples that do not say it */
	struct rt_timeline timeline;
	struct rt_gather_run runs[RT_GATHER_RUNS];
	struct rt_slices slices;
	struct rt_values values;
	struct rt_latency *latency;
	bool swapped;
	/* For the page: */
	struct rt_gathered **order; /* the events with the most samples first */
	size_t order_count;
	uint32_t *nodes; /* by sum: the node of its flame graph */
};

/* Put what is counted apart into the timeline; before the timeline is read. */
void rt_gather_flush(struct rt_gather *g);

#define RT_GATHER_GRAPHS 8 /* of the events with the most samples */

/* Append the numbers of all tables and graphs over time. */
int rt_gather_slices(struct rt_gather *g, const struct rt_gather_page *page, struct rt_text *out,
		     struct rt_err *err);

#endif
