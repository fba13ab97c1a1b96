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
 * here and added to the timeline together.  The last of them that differ in nothing but their time
 * and what they hold are also added to their sum together.
 */
struct rt_gather_run {
	uint64_t from, length;		   /* the time of the bucket; 0: no samples */
	const struct rt_perf_event *event; /* with the next two: what the timeline tells apart */
	uint64_t who;			   /* the id of the task, and the CPU */
	const char *comm;
	/* What sums tell apart besides; of the last sample: */
	uint64_t place; /* function and stack */
	uint32_t mode;
	uint32_t sum;
	uint64_t weight;
	uint32_t again; /* samples that neither the sum nor the timeline count yet, */
	uint32_t count; /* and samples that the timeline alone does not count yet */
	uint32_t bucket;
	unsigned int shift; /* of the timeline for which the bucket was found */
	struct rt_gathered *gathered;
	uint64_t unused[4]; /* a run is found by a shift */
};

/*
 * Samples of one plain sum in one slice of time.  Everything that adding a sample needs is in one
 * line of the processor's cache; the sum itself is not touched before the end.
 */
struct rt_gather_like {
	uint64_t place; /* function and stack */
	const char *comm;
	uint32_t event; /* its index plus 1 */
	uint32_t mode;
	struct rt_slice_cell cell;
} __attribute__((aligned(64)));

struct rt_gather_likes {
	struct rt_gather_like *list;
	uint32_t size;	    /* a power of two */
	unsigned int scale; /* a slice of the cells is so long, as a power of two */
};

/*
 * The last sample that is not in its sum yet.  It is added when the next one comes: by then the cache
 * has the line that was asked for.
 */
struct rt_gather_held {
	bool any;
	struct rt_gather_run *run;   /* NULL: a filter leaves the sample out */
	struct rt_gather_like *like; /* where it is counted if that holds such samples */
	struct rt_profile_sample sample;
	/* What plain sums look at: */
	struct rt_thread thread; /* tid and comm */
	struct rt_sample raw;	 /* cpumode */
};

/* What is known of one event. */
struct rt_gathered {
	const struct rt_perf_event *event;
	uint64_t samples;
	struct rt_value_event *values;	  /* NULL: its samples have none */
	struct rt_latency_event *latency; /* NULL: it neither starts nor ends anything */
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
	uint32_t slice; /* of the newest run */
	struct rt_gather_likes likes;
	struct rt_gather_held held;
	bool plain; /* the sums are plain */
	struct rt_gather_sums sums;
	struct rt_slices slices;
	struct rt_values values;
	struct rt_latency *latency;
	/* For the page: */
	struct rt_gathered **order; /* the events with the most samples first */
	size_t order_count;
	uint32_t *nodes; /* by sum: the node of its flame graph */
};

/* The key of samples that belong to one plain sum. */
static inline uint64_t rt_gather_place(const struct rt_profile_sample *s)
{
	return (uint64_t)s->func << 32 | s->stack;
}

#define RT_GATHER_FILTERED 0x100u /* besides the mode of the processor */
#define RT_GATHER_OTHER	   0x200u /* no sample has it */

static inline uint32_t rt_gather_mode(const struct rt_profile_sample *s)
{
	return s->raw->cpumode | (s->filtered ? RT_GATHER_FILTERED : 0);
}

/* Where samples like this one are counted.  It may hold others: see rt_gather_is_like(). */
static inline struct rt_gather_like *rt_gather_like(const struct rt_gather_likes *likes,
						    const struct rt_profile_sample *s)
{
	uint32_t at = s->stack * 0x9e3779b1u ^ s->func ^ s->event->index << 2;

	at ^= at >> 16 ^ (uint32_t)((uintptr_t)s->thread->comm >> 4);
	return &likes->list[at & (likes->size - 1)];
}

static inline bool rt_gather_is_like(const struct rt_gather_like *l,
				     const struct rt_profile_sample *s)
{
	return l->place == rt_gather_place(s) && l->comm == s->thread->comm &&
	       l->mode == rt_gather_mode(s) && l->event == s->event->index + 1;
}

/* Make room for more sums, first for some.  False if there is no memory. */
bool rt_gather_likes_grow(struct rt_gather *g);
/* Count the samples of SUM that are like this one from now on.  NULL: no memory. */
struct rt_gather_like *rt_gather_likes_set(struct rt_gather *g, const struct rt_profile_sample *s,
					   uint32_t sum);
/* Count a sample in a bucket of the timeline.  False if there is no memory. */
bool rt_gather_likes_add_slow(struct rt_gather *g, struct rt_gather_like *l, uint32_t bucket,
			      uint64_t weight);

static inline bool rt_gather_likes_add(struct rt_gather *g, struct rt_gather_like *l,
				       uint32_t bucket, uint64_t weight)
{
	if (g->likes.scale != g->timeline.shift + g->slices.group ||
	    l->cell.slice != bucket >> g->slices.group)
		return rt_gather_likes_add_slow(g, l, bucket, weight);
	l->cell.count++;
	l->cell.weight += weight;
	return true;
}

/* Hand all cells over to the slices.  False if there is no memory. */
bool rt_gather_likes_finish(struct rt_gather *g);
void rt_gather_likes_free(struct rt_gather_likes *likes);

#define RT_GATHER_GRAPHS 8 /* of the events with the most samples */

/* Append the numbers of all tables and graphs over time. */
int rt_gather_slices(struct rt_gather *g, const struct rt_gather_page *page, struct rt_text *out,
		     struct rt_err *err);

#endif
