// SPDX-License-Identifier: GPL-2.0
#include "draw/gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "draw/gathered.h"

struct rt_gather *rt_gather_new(struct rt_profile *profile)
{
	struct rt_gather *g = calloc(1, sizeof(*g));
	struct rt_reader *reader = rt_profile_reader(profile);

	if (!g)
		return NULL;
	g->profile = profile;
	g->events = rt_reader_events(reader);
	g->swapped = rt_reader_swapped(reader);
	g->stats.first = UINT64_MAX;
	g->latency = rt_latency_new(g->swapped);
	if (!g->latency) {
		free(g);
		return NULL;
	}
	return g;
}

void rt_gather_free(struct rt_gather *g)
{
	size_t i;

	if (!g)
		return;
	for (i = 0; i < g->count; i++) {
		if (!g->list[i])
			continue;
		rt_flame_free(&g->list[i]->flame);
		free(g->list[i]->shown);
		free(g->list[i]);
	}
	free(g->list);
	free(g->order);
	free(g->nodes);
	rt_timeline_free(&g->timeline);
	rt_slices_free(&g->slices);
	rt_values_free(&g->values);
	rt_latency_free(g->latency);
	free(g);
}

static struct rt_gathered *new_event(struct rt_gather *g, const struct rt_perf_event *event)
{
	struct rt_gathered **list, *e;

	if (event->index >= g->count) {
		list = realloc(g->list, (event->index + 1) * sizeof(*list));
		if (!list)
			return NULL;
		memset(list + g->count, 0, (event->index + 1 - g->count) * sizeof(*list));
		g->list = list;
		g->count = event->index + 1;
	}
	e = g->list[event->index] = calloc(1, sizeof(*e));
	if (e)
		e->event = event;
	return e;
}

/* ---- the timeline ----------------------------------------------------------------------- */

static void flush(struct rt_gather *g, struct rt_gather_run *run)
{
	unsigned int merged = g->timeline.shift - run->shift;
	uint32_t bucket = merged < 32 ? run->bucket >> merged : 0;
	struct rt_timeline *t = &g->timeline;

	if (run->count) {
		rt_timeline_add(t, RT_TIMELINE_EVENT, run->event->index,
				rt_perf_event_name(run->event), bucket, run->count);
		if (run->cpu != UINT32_MAX)
			rt_timeline_add(t, RT_TIMELINE_CPU, run->cpu, NULL, bucket, run->count);
		rt_timeline_add(t, RT_TIMELINE_TASK, (uint32_t)run->tid, NULL, bucket, run->count);
	}
	run->count = 0;
}

void rt_gather_flush(struct rt_gather *g)
{
	size_t i;

	for (i = 0; i < RT_GATHER_RUNS; i++)
		flush(g, &g->runs[i]);
}

static void count_time(struct rt_gather *g, const struct rt_profile_sample *s, uint32_t bucket)
{
	uint32_t at = s->event->index ^ (uint32_t)s->thread->tid ^ s->cpu << 3;
	struct rt_gather_run *run = &g->runs[at & (RT_GATHER_RUNS - 1)];

	if (run->bucket != bucket || run->shift != g->timeline.shift || run->event != s->event ||
	    run->tid != s->thread->tid || run->cpu != s->cpu || run->comm != s->thread->comm) {
		flush(g, run);
		*run = (struct rt_gather_run){ .event = s->event,
					       .comm = s->thread->comm,
					       .tid = s->thread->tid,
					       .cpu = s->cpu,
					       .bucket = bucket,
					       .shift = g->timeline.shift };
		/* The newest name counts, and runs end in any order. */
		rt_timeline_add(&g->timeline, RT_TIMELINE_TASK, (uint32_t)run->tid, run->comm,
				bucket, 0);
	}
	run->count++;
}

/* ---- samples and records ---------------------------------------------------------------- */

/* What a sample holds: values, and the start or the end of something. */
static bool look(struct rt_gather *g, struct rt_gathered *e, const struct rt_profile_sample *s)
{
	if (rt_values_add(&g->values, s->event, s->raw, g->swapped) ||
	    rt_latency_add(g->latency, g->events, s->event, s->raw))
		return false;
	e->plain = !s->event->format && !rt_latency_wants(g->latency, s->event);
	return true;
}

int rt_gather_add(struct rt_gather *g, const struct rt_profile_sample *s, uint32_t sum,
		  bool filtered, struct rt_err *err)
{
	uint32_t index = s->event->index, bucket = 0;
	struct rt_gathered *e = index < g->count ? g->list[index] : NULL;
	bool timed = s->time != UINT64_MAX;

	/* Samples that a filter leaves out count in the totals of tables. */
	if (timed) {
		bucket = rt_timeline_bucket(&g->timeline, s->time);
		if (!rt_slices_add(&g->slices, &g->timeline, sum, bucket, s->weight))
			return rt_err_set(err, ENOMEM, "out of memory");
	}
	if (filtered)
		return 0;
	if (!e)
		e = new_event(g, s->event);
	if (!e || (!e->plain && !look(g, e, s)))
		return rt_err_set(err, ENOMEM, "out of memory");
	e->samples++;
	g->stats.samples++;
	g->no_cpu += s->cpu == UINT32_MAX;
	if (!timed) {
		g->no_time++;
		return 0;
	}
	if (s->time < g->stats.first)
		g->stats.first = s->time;
	if (s->time > g->stats.last)
		g->stats.last = s->time;
	count_time(g, s, bucket);
	return 0;
}

/* LOST_SAMPLES records count the same losses once more, or all of them in files without LOST. */
void rt_gather_record(void *gather, const struct rt_perf_record *rec)
{
	struct rt_gather *g = gather;
	uint64_t lost;

	if (rec->hdr->type == RT_PERF_RECORD_LOST)
		lost = ((const struct rt_perf_record_lost *)rec->hdr)->lost;
	else if (rec->hdr->type == RT_PERF_RECORD_LOST_SAMPLES)
		lost = ((const struct rt_perf_record_lost_samples *)rec->hdr)->lost;
	else
		return;
	rt_latency_lost(g->latency);
	if (rec->time && rec->time != UINT64_MAX)
		rt_timeline_add(&g->timeline, RT_TIMELINE_LOST, rec->hdr->type, NULL,
				rt_timeline_bucket(&g->timeline, rec->time), lost);
}
