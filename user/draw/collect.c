// SPDX-License-Identifier: GPL-2.0
#include "draw/collect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/field.h"
#include "analysis/starts.h"
#include "base/hash.h"
#include "draw/place.h"

/* prev_state of a task that never returns: X or Z. */
#define STATE_DEAD 0x30

#define NAMES  256  /* a power of two */
#define RECENT 1024 /* a power of two */

/* One stack of one group. */
struct sum {
	uint32_t group; /* the node of the flame graph on which the stack stands */
	uint32_t stack, func;
	uint64_t weight;
};

/* What a sample is like, as far as sums tell samples apart. */
struct likeness {
	const struct rt_perf_event *event;
	const char *comm;
	int32_t pid, tid; /* these two are 0 if no level shows them, and so is the next one */
	uint32_t cpu;
	uint32_t stack, func;
};

struct collector {
	struct rt_profile *profile;
	const struct rt_collect_how *how;
	struct rt_flame *flame;
	struct rt_collect_stats *stats;
	struct sum *sums;
	size_t count, room;
	struct rt_index index;
	/* Sums to which samples were added lately. */
	struct {
		struct likeness like;
		size_t sum;
	} recent[RECENT];
	bool by_task, by_cpu; /* levels */
	struct rt_starts off; /* tasks that left their CPU */
	bool swapped;
	/* Frames of tasks and events.  Their names stay where they are, so an address tells one. */
	struct {
		const char *name;
		uint32_t frame;
	} names[NAMES];
	/* The fields of the last sched_switch event, which is always the same one. */
	const struct rt_perf_event *switches;
	const struct tep_format_field *next_pid, *prev_pid, *prev_state;
};

static const char *const level_names[] = {
	[RT_COLLECT_EVENT] = "event", [RT_COLLECT_COMM] = "comm", [RT_COLLECT_PID] = "pid",
	[RT_COLLECT_TID] = "tid",     [RT_COLLECT_CPU] = "cpu",
};

int rt_collect_levels(struct rt_collect_how *how, const char *text, struct rt_err *err)
{
	struct rt_names names = { NULL, 0 };
	unsigned int level, used = 0;
	int ret = rt_names_parse(&names, text, err);
	size_t i;

	how->level_count = 0;
	for (i = 0; !ret && i < names.count; i++) {
		for (level = 0; level < RT_COLLECT_LEVELS; level++)
			if (!strcmp(names.list[i], level_names[level]))
				break;
		if (level == RT_COLLECT_LEVELS)
			ret = rt_err_set(err, EINVAL,
					 "--by %s: choose from event, comm, pid, tid and cpu",
					 names.list[i]);
		else if (used & 1u << level)
			ret = rt_err_set(err, EINVAL, "--by names '%s' twice; name it once",
					 names.list[i]);
		else
			how->levels[how->level_count++] = level;
		used |= 1u << level;
	}
	rt_names_free(&names);
	return ret;
}

static uint32_t name_frame(struct collector *c, const char *name)
{
	size_t at = ((uintptr_t)name >> 3 ^ (uintptr_t)name >> 11) & (NAMES - 1);

	if (c->names[at].name != name) {
		c->names[at].frame = rt_flame_frame(c->flame, name, "", RT_FLAME_GROUP);
		c->names[at].name = name;
	}
	return c->names[at].frame;
}

static uint32_t level_frame(struct collector *c, enum rt_collect_level level,
			    const struct rt_profile_sample *s)
{
	char text[64];

	switch (level) {
	case RT_COLLECT_EVENT:
		return name_frame(c, rt_perf_event_name(s->event));
	case RT_COLLECT_COMM:
		return name_frame(c, s->thread->comm);
	case RT_COLLECT_CPU:
		if (s->cpu == UINT32_MAX)
			return rt_flame_frame(c->flame, "unknown CPU", "", RT_FLAME_GROUP);
		snprintf(text, sizeof(text), "CPU %u", s->cpu);
		break;
	default:
		snprintf(text, sizeof(text), "%.40s/%d", s->thread->comm,
			 level == RT_COLLECT_PID ? s->thread->pid : s->thread->tid);
	}
	return rt_flame_frame(c->flame, text, "", RT_FLAME_GROUP);
}

static bool has_stack(const struct rt_perf_event *event)
{
	return rt_perf_event_has(event, RT_SAMPLE_CALLCHAIN | RT_SAMPLE_STACK_USER);
}

/* The sum that a sample belongs to, made if it is new; SIZE_MAX without memory. */
static size_t find_sum(struct collector *c, const struct rt_profile_sample *s)
{
	struct sum key = { .group = RT_FLAME_ROOT, .stack = s->stack };
	struct rt_index_probe probe;
	uint64_t hash;
	unsigned int i;
	uint32_t n;

	for (i = 0; i < c->how->level_count; i++)
		key.group =
			rt_flame_child(c->flame, key.group, level_frame(c, c->how->levels[i], s));
	/* Without a recorded stack the sampled function stands alone. */
	key.func = has_stack(s->event) ? UINT32_MAX : s->func;
	hash = rt_hash_mix((uint64_t)key.group << 32 | key.stack, key.func);
	for (n = rt_index_first(&c->index, hash, &probe); n; n = rt_index_next(&c->index, &probe)) {
		const struct sum *sum = &c->sums[n - 1];

		if (sum->group == key.group && sum->stack == key.stack && sum->func == key.func)
			return n - 1;
	}
	if (c->count == c->room) {
		size_t room = c->room ? c->room * 2 : 1024;
		struct sum *sums = realloc(c->sums, room * sizeof(*sums));

		if (!sums)
			return SIZE_MAX;
		c->sums = sums;
		c->room = room;
	}
	if (!rt_index_add(&c->index, hash, (uint32_t)c->count + 1))
		return SIZE_MAX;
	c->sums[c->count] = key;
	return c->count++;
}

/* The same; most samples are like one that came a short while ago. */
static size_t sum_of(struct collector *c, const struct rt_profile_sample *s)
{
	struct likeness l = {
		.event = s->event,
		.comm = s->thread->comm,
		.pid = c->by_task ? s->thread->pid : 0,
		.tid = c->by_task ? s->thread->tid : 0,
		.cpu = c->by_cpu ? s->cpu : 0,
		.stack = s->stack,
		.func = s->func,
	};
	uint32_t at = l.stack * 0x9e3779b1u ^ l.func ^ l.event->index << 2 ^ (uint32_t)l.tid ^
		      l.cpu << 5 ^ (uint32_t)((uintptr_t)l.comm >> 4);
	struct likeness *recent;

	at = (at ^ at >> 16) & (RECENT - 1);
	recent = &c->recent[at].like;
	if (recent->event == l.event && recent->comm == l.comm && recent->pid == l.pid &&
	    recent->tid == l.tid && recent->cpu == l.cpu && recent->stack == l.stack &&
	    recent->func == l.func)
		return c->recent[at].sum;
	c->recent[at].sum = find_sum(c, s);
	if (c->recent[at].sum == SIZE_MAX)
		recent->event = NULL;
	else
		*recent = l;
	return c->recent[at].sum;
}

static void see_time(struct rt_collect_stats *stats, uint64_t time)
{
	if (time == UINT64_MAX)
		return;
	if (time < stats->first)
		stats->first = time;
	if (time > stats->last)
		stats->last = time;
}

static void task_returns(struct collector *c, int32_t tid, uint64_t time)
{
	uint32_t charge;
	uint64_t ns;

	if (rt_starts_end(&c->off, (uint32_t)tid, time, &charge, &ns)) {
		c->sums[charge].weight += ns;
		c->stats->samples++;
	}
}

static int off_cpu_sample(struct collector *c, const struct rt_profile_sample *s,
			  struct rt_err *err)
{
	uint64_t next, prev, state = 0;
	size_t sum;

	if (c->switches != s->event) {
		if (!rt_field_is_tracepoint(s->event, "sched", "sched_switch"))
			return 0;
		c->switches = s->event;
		c->next_pid = rt_field_find(s->event, "next_pid");
		c->prev_pid = rt_field_find(s->event, "prev_pid");
		c->prev_state = rt_field_find(s->event, "prev_state");
	}
	if (!c->next_pid || !c->prev_pid || s->time == UINT64_MAX ||
	    !rt_field_number(c->next_pid, s->raw, c->swapped, &next) ||
	    !rt_field_number(c->prev_pid, s->raw, c->swapped, &prev))
		return 0;
	c->stats->switches++;
	see_time(c->stats, s->time);
	if (next)
		task_returns(c, (int32_t)next, s->time);
	if (c->prev_state)
		rt_field_number(c->prev_state, s->raw, c->swapped, &state);
	/* Dead tasks wait for nothing, and neither does the idle task. */
	if (s->filtered || !prev || state & STATE_DEAD)
		return 0;
	sum = sum_of(c, s);
	if (sum == SIZE_MAX || !rt_starts_add(&c->off, (uint32_t)prev, s->time, (uint32_t)sum))
		return rt_err_set(err, ENOMEM, "out of memory");
	return 0;
}

static int add_sample(void *arg, const struct rt_profile_sample *s, struct rt_err *err)
{
	struct collector *c = arg;
	size_t sum;

	if (c->how->event && strcmp(rt_perf_event_name(s->event), c->how->event))
		return 0;
	if (c->how->weight == RT_COLLECT_OFF_CPU)
		return off_cpu_sample(c, s, err);
	if (s->filtered)
		return 0;
	sum = sum_of(c, s);
	if (sum == SIZE_MAX)
		return rt_err_set(err, ENOMEM, "out of memory");
	c->sums[sum].weight += c->how->weight == RT_COLLECT_PERIOD ? s->weight : 1;
	c->stats->samples++;
	see_time(c->stats, s->time);
	return 0;
}

/* Switches without a tracepoint, and losses. */
static void other_record(void *arg, const struct rt_perf_record *rec)
{
	struct collector *c = arg;
	struct rt_sample s;
	struct rt_err err;

	if (rec->hdr->type == RT_PERF_RECORD_LOST || rec->hdr->type == RT_PERF_RECORD_LOST_SAMPLES)
		rt_starts_lost(&c->off);
	if (rec->hdr->type == RT_PERF_RECORD_FORK)
		rt_starts_forget(&c->off,
				 (uint32_t)((const struct rt_perf_record_task *)rec->hdr)->tid);
	if ((rec->hdr->type == RT_PERF_RECORD_SWITCH ||
	     rec->hdr->type == RT_PERF_RECORD_SWITCH_CPU_WIDE) &&
	    !(rec->hdr->misc & RT_MISC_SWITCH_OUT) && rec->event &&
	    !rt_sample_parse(rec, &s, &err) && s.tid > 0 && s.time != UINT64_MAX)
		task_returns(c, s.tid, s.time);
}

/* ---- from sums to the tree ---------------------------------------------------------- */

static int place_all(struct collector *c, int side, struct rt_err *err)
{
	struct rt_placer placer;
	size_t i;

	rt_placer_open(&placer, c->profile, c->flame);
	for (i = 0; i < c->count && !c->flame->failed; i++) {
		const struct sum *sum = &c->sums[i];

		if (sum->weight)
			rt_flame_weigh(c->flame,
				       sum->func == UINT32_MAX ?
					       rt_place_stack(&placer, sum->group, sum->stack) :
					       rt_place_func(&placer, sum->group, sum->func),
				       side, sum->weight);
	}
	rt_placer_close(&placer);
	return c->flame->failed ? rt_err_set(err, ENOMEM, "out of memory") : 0;
}

int rt_collect(struct rt_profile *profile, const struct rt_collect_how *how, struct rt_flame *flame,
	       int side, struct rt_collect_stats *stats, struct rt_err *err)
{
	struct collector c = { .profile = profile, .how = how, .flame = flame, .stats = stats };
	struct rt_err memory;
	unsigned int i;
	int ret, ended;

	memset(stats, 0, sizeof(*stats));
	stats->first = UINT64_MAX;
	for (i = 0; i < how->level_count; i++) {
		c.by_task |= how->levels[i] == RT_COLLECT_PID || how->levels[i] == RT_COLLECT_TID;
		c.by_cpu |= how->levels[i] == RT_COLLECT_CPU;
	}
	c.swapped = rt_reader_swapped(rt_profile_reader(profile));
	if (how->weight == RT_COLLECT_OFF_CPU)
		rt_profile_on_record(profile, other_record, &c);
	ret = rt_profile_read(profile, add_sample, &c, err);
	rt_profile_on_record(profile, NULL, NULL);
	ended = place_all(&c, side, ret ? &memory : err);
	stats->unknown_waits = rt_starts_unknown(&c.off);
	rt_starts_free(&c.off);
	rt_index_free(&c.index);
	free(c.sums);
	return ret ? ret : ended;
}
