// SPDX-License-Identifier: GPL-2.0
#include "draw/gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "draw/gathered.h"

struct rt_gather *rt_gather_new(struct rt_profile *profile, const struct rt_gather_sums *sums)
{
	struct rt_gather *g = calloc(1, sizeof(*g));
	struct rt_reader *reader = rt_profile_reader(profile);

	if (!g)
		return NULL;
	g->profile = profile;
	g->sums = *sums;
	g->events = rt_reader_events(reader);
	g->values.swapped = rt_reader_swapped(reader);
	g->stats.first = UINT64_MAX;
	g->latency = rt_latency_new(g->values.swapped);
	if (!g->latency || !rt_gather_likes_grow(g)) {
		rt_latency_free(g->latency);
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
	rt_gather_likes_free(&g->likes);
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
	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->event = event;
	if (event->format)
		e->values = rt_values_of(&g->values, event);
	if ((event->format && !e->values) ||
	    rt_latency_of(g->latency, g->events, event, &e->latency)) {
		free(e);
		return NULL;
	}
	return g->list[event->index] = e;
}

/* ---- runs ------------------------------------------------------------------------------- */

/* The bucket of a run; buckets may have been merged since the run began. */
static uint32_t bucket_of(const struct rt_gather *g, const struct rt_gather_run *run)
{
	unsigned int merged = g->timeline.shift - run->shift;

	return merged < 32 ? run->bucket >> merged : 0;
}

static bool flush_sum(struct rt_gather *g, struct rt_gather_run *run)
{
	bool done = true;

	if (run->again)
		done = rt_slices_add(&g->slices, &g->timeline, run->sum, bucket_of(g, run),
				     run->again, run->weight);
	run->count += run->again;
	run->again = 0;
	run->weight = 0;
	return done;
}

static bool flush(struct rt_gather *g, struct rt_gather_run *run)
{
	struct rt_timeline *t = &g->timeline;
	uint32_t cpu = (uint32_t)run->who, bucket;
	bool done = flush_sum(g, run);

	if (run->count) {
		bucket = bucket_of(g, run);
		rt_timeline_add(t, RT_TIMELINE_EVENT, run->event->index,
				rt_perf_event_name(run->event), bucket, run->count);
		if (cpu != UINT32_MAX)
			rt_timeline_add(t, RT_TIMELINE_CPU, cpu, NULL, bucket, run->count);
		else
			g->no_cpu += run->count;
		rt_timeline_add(t, RT_TIMELINE_TASK, run->who >> 32, NULL, bucket, run->count);
		run->gathered->samples += run->count;
		g->stats.samples += run->count;
	}
	run->count = 0;
	return done;
}

static bool flush_all(struct rt_gather *g)
{
	bool done = true;
	size_t i;

	for (i = 0; i < RT_GATHER_RUNS; i++)
		done &= flush(g, &g->runs[i]);
	return done;
}

static struct rt_gather_run *place_of(struct rt_gather *g, const struct rt_profile_sample *s)
{
	uint32_t at = s->event->index ^ (uint32_t)s->thread->tid ^ s->cpu << 3;

	return &g->runs[at & (RT_GATHER_RUNS - 1)];
}

static uint64_t who(const struct rt_profile_sample *s)
{
	return (uint64_t)(uint32_t)s->thread->tid << 32 | s->cpu;
}

static bool fits(const struct rt_gather_run *run, const struct rt_profile_sample *s)
{
	return s->time - run->from < run->length && run->event == s->event && run->who == who(s) &&
	       run->comm == s->thread->comm;
}

/* Whether the sample differs from the last one of its run only in its time and what it holds. */
static bool repeats(const struct rt_gather_run *run, const struct rt_profile_sample *s)
{
	return run->place == rt_gather_place(s) && run->mode == rt_gather_mode(s);
}

/* NULL: no memory */
static struct rt_gather_run *begin_run(struct rt_gather *g, struct rt_gathered *e,
				       const struct rt_profile_sample *s, uint32_t bucket)
{
	struct rt_gather_run *run = place_of(g, s);
	struct rt_timeline *t = &g->timeline;

	/* Slices are fastest if each sum comes in the order of time. */
	if (bucket >> g->slices.group != g->slice) {
		g->slice = bucket >> g->slices.group;
		if (!flush_all(g))
			return NULL;
	} else if (!flush(g, run)) {
		return NULL;
	}
	*run = (struct rt_gather_run){ .from = t->start + ((uint64_t)bucket << t->shift),
				       .length = rt_timeline_width(t),
				       .event = s->event,
				       .who = who(s),
				       .comm = s->thread->comm,
				       .mode = RT_GATHER_OTHER,
				       .bucket = bucket,
				       .shift = t->shift,
				       .gathered = e };
	/* The greatest time stands for none. */
	if (run->length > UINT64_MAX - run->from)
		run->length = UINT64_MAX - run->from;
	/* The newest name counts, and runs end in any order. */
	rt_timeline_add(t, RT_TIMELINE_TASK, run->who >> 32, run->comm, bucket, 0);
	return run;
}

/* ---- samples and records ---------------------------------------------------------------- */

/* What a sample holds: values, and the start or the end of something. */
static inline bool look(struct rt_gather *g, const struct rt_gathered *e, const struct rt_sample *s)
{
	return (!e->values || !rt_values_add(&g->values, e->values, s)) &&
	       (!e->latency || !rt_latency_add(g->latency, e->latency, s));
}

static void see_time(struct rt_collect_stats *stats, uint64_t time)
{
	if (time < stats->first)
		stats->first = time;
	if (time > stats->last)
		stats->last = time;
}

/* Count a sample that has no time. */
static void add_untimed(struct rt_gather *g, struct rt_gathered *e,
			const struct rt_profile_sample *s)
{
	e->samples++;
	g->stats.samples++;
	g->no_cpu += s->cpu == UINT32_MAX;
	g->no_time++;
}

/* Later samples of the run that are like this one are added to its sum together. */
static bool set_sample(struct rt_gather *g, struct rt_gather_run *run,
		       const struct rt_profile_sample *s, bool plain)
{
	bool done = !run->again || flush_sum(g, run);

	run->count++;
	run->place = rt_gather_place(s);
	run->mode = plain ? rt_gather_mode(s) : RT_GATHER_OTHER;
	return done;
}

static bool add_to_run(struct rt_gather *g, struct rt_gather_run *run,
		       const struct rt_profile_sample *s, bool plain)
{
	see_time(&g->stats, s->time);
	return look(g, run->gathered, s->raw) && set_sample(g, run, s, plain);
}

/* Add a sample to everything but its sum if it fits no run.  *RUN: the run that it begins. */
static bool add_rest(struct rt_gather *g, const struct rt_profile_sample *s, bool plain,
		     struct rt_gather_run **run)
{
	uint32_t index = s->event->index;
	struct rt_gathered *e = index < g->count ? g->list[index] : NULL;

	if (!e)
		e = new_event(g, s->event);
	if (!e)
		return false;
	if (s->time == UINT64_MAX) {
		add_untimed(g, e, s);
		return look(g, e, s->raw);
	}
	*run = begin_run(g, e, s, rt_timeline_bucket(&g->timeline, s->time));
	return *run && add_to_run(g, *run, s, plain);
}

/* Add a sample to its plain sum, which LIKE may count; in *SUM which one that is. */
static int add_plain(struct rt_gather *g, struct rt_gather_like *like,
		     const struct rt_profile_sample *s, uint32_t *sum, struct rt_err *err)
{
	uint32_t bucket = rt_timeline_bucket(&g->timeline, s->time);
	struct rt_gather_into into;
	int ret;

	if (!rt_gather_is_like(like, s)) {
		ret = g->sums.add(g->sums.arg, s, &into, err);
		if (ret)
			return ret;
		like = rt_gather_likes_set(g, s, into.sum);
		if (!like)
			return rt_err_set(err, ENOMEM, "out of memory");
	}
	*sum = like->cell.item;
	return rt_gather_likes_add(g, like, bucket, s->weight) ?
		       0 :
		       rt_err_set(err, ENOMEM, "out of memory");
}

static int add_held(struct rt_gather *g, struct rt_err *err)
{
	struct rt_gather_held *h = &g->held;
	uint32_t sum = 0;
	int ret;

	if (!h->any)
		return 0;
	h->any = false;
	ret = add_plain(g, h->like, &h->sample, &sum, err);
	if (!ret && h->run)
		h->run->sum = sum;
	return ret;
}

static void hold(struct rt_gather *g, struct rt_gather_run *run, const struct rt_profile_sample *s)
{
	struct rt_gather_held *h = &g->held;

	h->like = rt_gather_like(&g->likes, s);
	__builtin_prefetch(h->like, 1);
	h->any = true;
	h->run = run;
	h->sample = *s;
	h->sample.thread = &h->thread;
	h->sample.raw = &h->raw;
	h->thread.tid = s->thread->tid;
	h->thread.comm = s->thread->comm;
	h->raw.cpumode = s->raw->cpumode;
}

/* A sample whose sum is not plain, as far as is known, or one without a time. */
static int add_other(struct rt_gather *g, struct rt_gather_run *run,
		     const struct rt_profile_sample *s, struct rt_err *err)
{
	struct rt_gather_into into;
	int ret = g->sums.add(g->sums.arg, s, &into, err);
	bool done = true;

	if (ret || into.sum == RT_GATHER_NO_SUM)
		return ret;
	g->plain = into.plain;
	/* Samples that a filter leaves out count in the totals of tables. */
	if (s->time != UINT64_MAX)
		done = rt_slices_add(&g->slices, &g->timeline, into.sum,
				     rt_timeline_bucket(&g->timeline, s->time), 1, s->weight);
	else if (into.plain)
		g->sums.more(g->sums.arg, into.sum, 1, s->weight);
	if (done && !into.filtered)
		done = run ? add_to_run(g, run, s, into.plain) : add_rest(g, s, into.plain, &run);
	if (run && !into.filtered)
		run->sum = into.sum;
	return done ? 0 : rt_err_set(err, ENOMEM, "out of memory");
}

/* The sample begins a run, or differs from those before. */
static int add_new(struct rt_gather *g, struct rt_gather_run *run,
		   const struct rt_profile_sample *s, struct rt_err *err)
{
	int ret = add_held(g, err);

	if (ret)
		return ret;
	if (!g->plain || s->time == UINT64_MAX)
		return add_other(g, run, s, err);
	if (s->filtered)
		run = NULL;
	else if (!(run ? add_to_run(g, run, s, true) : add_rest(g, s, true, &run)))
		return rt_err_set(err, ENOMEM, "out of memory");
	hold(g, run, s);
	return 0;
}

/* Most samples of events without stacks are like the last one of their task on their CPU. */
int rt_gather_sample(void *gather, const struct rt_profile_sample *s, struct rt_err *err)
{
	struct rt_gather *g = gather;
	struct rt_gather_run *run = place_of(g, s);

	if (!fits(run, s))
		return add_new(g, NULL, s, err);
	if (!repeats(run, s))
		return add_new(g, run, s, err);
	run->again++;
	run->weight += s->weight;
	see_time(&g->stats, s->time);
	return look(g, run->gathered, s->raw) ? 0 : rt_err_set(err, ENOMEM, "out of memory");
}

bool rt_gather_finish(struct rt_gather *g)
{
	const struct rt_slice_cell *cell, *end;
	uint64_t count, weight;
	struct rt_err err;
	uint32_t i;

	if (add_held(g, &err) || !flush_all(g) || !rt_gather_likes_finish(g) ||
	    !rt_slices_finish(&g->slices, &g->timeline))
		return false;
	for (i = 0; g->plain && i < g->slices.items; i++) {
		count = weight = 0;
		for (end = rt_slices_of(&g->slices, i, &cell); cell < end; cell++) {
			count += cell->count;
			weight += cell->weight;
		}
		if (count)
			g->sums.more(g->sums.arg, i, count, weight);
	}
	return true;
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
