// SPDX-License-Identifier: GPL-2.0
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process/machine.h"
#include "report/key_list.h"

/* ---- --switch-on and --switch-off ------------------------------------------------------ */

static int find_switch(const struct rt_report *r, const char *option, const char *name,
		       const struct rt_perf_event **event, struct rt_err *err)
{
	const struct rt_perf_events *events = rt_reader_events(r->reader);
	size_t i;

	for (i = 0; name && i < events->count; i++)
		if (!strcmp(rt_perf_event_name(events->list[i]), name)) {
			*event = events->list[i];
			return 0;
		}
	return name ? rt_err_set(
			      err, EINVAL,
			      "%s: the recording has no event '%.100s'; 'ringtail evlist' lists them",
			      option, name) :
		      0;
}

static int find_switches(struct rt_report *r, struct rt_err *err)
{
	int ret = find_switch(r, "--switch-on", r->opt->switch_on, &r->switching.on, err);

	if (!ret)
		ret = find_switch(r, "--switch-off", r->opt->switch_off, &r->switching.off, err);
	r->switching.discarding = r->switching.on;
	return ret;
}

/* Whether a sample is outside, or one that switches. */
static bool is_switched_off(struct rt_report *r, const struct rt_perf_event *event)
{
	struct rt_report_switch *s = &r->switching;

	/* Without --switch-on, perf leaves out only the first --switch-off event itself. */
	if (s->discarding && !s->on && r->opt->compat)
		return false;
	if (s->discarding) {
		if (event != s->on)
			return true;
		s->discarding = false;
		return !r->opt->show_switches;
	}
	if (!s->off || event != s->off)
		return false;
	s->discarding = true;
	return !r->opt->show_switches;
}

/* ---- opening --------------------------------------------------------------------------- */

/* What is counted: samples, accesses to data or branches. */
static int settle_mode(struct rt_report *r, uint64_t sample_type, struct rt_err *err)
{
	struct rt_report_options *opt = r->opt;

	if (opt->memory && !(sample_type & RT_SAMPLE_DATA_SRC))
		return rt_err_set(
			err, EINVAL,
			"--mem-mode: the recording does not say where data was found; record with -d");
	if (opt->branches && !(sample_type & RT_SAMPLE_BRANCH_STACK))
		return rt_err_set(
			err, EINVAL,
			"--branch-stack: the recording has no branches; record them with perf record -b");
	if (opt->branches && opt->memory)
		return rt_err_set(
			err, EINVAL,
			"--branch-stack and --mem-mode exclude each other; leave one out");
	if (!opt->memory && !opt->no_branches && (sample_type & RT_SAMPLE_BRANCH_STACK))
		opt->branches = true;
	return 0;
}

int rt_report_settle(struct rt_report *r, struct rt_err *err)
{
	const struct rt_perf_events *events = rt_reader_events(r->reader);
	int ret;

	if (r->settled)
		return 0;
	r->settled = true;
	ret = settle_mode(r, events->sample_type, err);
	if (ret)
		return ret;
	/* Like perf, do not mind a pipe without stacks. */
	if (r->opt->graph_asked && !rt_reader_is_pipe(r->reader) &&
	    !(events->sample_type & (RT_SAMPLE_CALLCHAIN | RT_SAMPLE_BRANCH_STACK)))
		return rt_err_set(
			err, EINVAL,
			"-g: the recording has no stacks; leave -g out, or record with record -g");
	if (!(events->sample_type & RT_SAMPLE_CALLCHAIN) || r->opt->branches)
		r->opt->stacks = r->opt->children = false;
	if (r->opt->memory)
		r->opt->children = false;
	/* perf decides before it has read the events of a pipe. */
	if (r->opt->compat && rt_reader_is_pipe(r->reader))
		r->opt->children = false;
	ret = find_switches(r, err);
	if (!ret)
		ret = rt_columns_make(r, err);
	r->plain = !r->opt->socket && !r->opt->memory && !r->opt->branches &&
		   !r->columns.extra_count && !r->columns.by_address && !r->columns.by_thread &&
		   !r->opt->by_thread && !r->switching.on && !r->switching.off &&
		   !r->opt->hide_unresolved && !r->opt->objects.count && !r->opt->symbols.count;
	return ret;
}

int rt_report_open(struct rt_report *r, struct rt_report_options *opt, struct rt_profile *profile,
		   struct rt_err *err)
{
	memset(r, 0, sizeof(*r));
	rt_text_init(&r->text);
	r->opt = opt;
	r->profile = profile;
	r->reader = rt_profile_reader(profile);
	return rt_reader_events(r->reader)->count ? rt_report_settle(r, err) : 0;
}

void rt_report_close(struct rt_report *r)
{
	rt_sums_free(&r->sums);
	rt_pool_free(&r->pool);
	rt_columns_free(&r->columns);
	rt_tracefmts_free(r->traces);
	rt_tracer_free(r->tracer);
	rt_text_free(&r->text);
	if (r->parent_ready)
		regfree(&r->parent);
	free(r->names);
	free(r->samples);
}

/* ---- reading --------------------------------------------------------------------------- */

static bool object_wanted(const struct rt_names *wanted, const struct rt_object *object)
{
	const char *name = object ? rt_object_name(object) : NULL;
	const char *base = name ? strrchr(name, '/') : NULL;

	return name && (rt_names_has(wanted, name) || (base && rt_names_has(wanted, base + 1)));
}

/* --symbols and --dsos choose by the sampled function, not by its callers. */
static bool function_wanted(const struct rt_report *r, uint32_t func)
{
	const struct rt_profile_func *f = rt_profile_func(r->profile, func);

	if (r->opt->objects.count && !object_wanted(&r->opt->objects, f->object))
		return false;
	return !r->opt->symbols.count || (f->symbol && rt_names_has(&r->opt->symbols, f->name));
}

static int more_events(struct rt_report *r, uint32_t event, struct rt_err *err)
{
	size_t room = event + 16;
	struct rt_report_count *samples = realloc(r->samples, room * sizeof(*samples));

	if (!samples)
		return rt_err_set(err, ENOMEM, "out of memory");
	memset(samples + r->samples_room, 0, (room - r->samples_room) * sizeof(*samples));
	r->samples = samples;
	r->samples_room = room;
	return 0;
}

static int count_samples(struct rt_report *r, uint32_t event, bool filtered, uint64_t n,
			 struct rt_err *err)
{
	if (event >= r->samples_room && more_events(r, event, err))
		return -ENOMEM;
	r->samples[event].all += n;
	r->samples[event].unfiltered += filtered ? 0 : n;
	return 0;
}

/* Apply the options that leave samples out; false: the sample does not count at all. */
static bool take(struct rt_report *r, const struct rt_profile_sample *s, struct rt_sum *sum,
		 uint64_t *extra)
{
	size_t i;

	if (r->opt->hide_unresolved && !rt_profile_func(r->profile, sum->func)->symbol)
		return false;
	if (r->opt->objects.count || r->opt->symbols.count)
		sum->filtered |= !function_wanted(r, sum->func);
	if (r->opt->socket)
		sum->filtered |= (int64_t)rt_key_socket_of(r, s) != atoi(r->opt->socket);
	for (i = 0; i < r->columns.key_count; i++) {
		const struct rt_key *key = r->columns.keys[i];

		if (key->slot >= 0)
			extra[key->slot] = key->type->take(r, key, s);
	}
	return true;
}

/* Most samples belong to a sum that was used a short while ago. */
static bool add_recent(struct rt_report *r, const struct rt_profile_sample *s)
{
	uint32_t stack = r->opt->stacks ? s->stack : 0, event = s->event->index;
	const char *comm = s->thread->comm;
	uint32_t recent = rt_sums_recent(&r->sums, event, s->func, stack, comm)->sum;
	struct rt_sum *sum = recent ? &r->sums.list[recent - 1] : NULL;

	if (!sum || sum->stack != stack || sum->func != s->func || sum->comm != comm ||
	    sum->event != event || sum->cpumode != s->raw->cpumode || sum->filtered != s->filtered)
		return false;
	sum->count++;
	sum->period += s->weight;
	r->sums.last = recent - 1;
	r->samples[event].all++;
	r->samples[event].unfiltered += !s->filtered;
	return true;
}

/* Like perf, count an access with its weight, at least once. */
static uint64_t weight_of(const struct rt_profile_sample *s)
{
	uint64_t weight = rt_perf_event_has(s->event, RT_SAMPLE_WEIGHT_STRUCT) ? s->raw->weight1 :
										 s->raw->weight;

	return weight ? weight : 1;
}

/* Add a sample N times to its sum: once, or not at all. */
static int add_times(struct rt_report *r, const struct rt_profile_sample *s, uint64_t n,
		     struct rt_err *err)
{
	uint64_t extra[RT_COLUMNS_MAX];
	struct rt_sum sum = {
		.event = s->event->index,
		.func = s->func,
		.stack = s->stack,
		.cpumode = s->raw->cpumode,
		.filtered = s->filtered,
		.address = s->address,
		.comm = s->thread->comm,
		.tid = s->thread->tid,
		.period = s->weight,
		.time = s->time,
	};
	struct rt_funcs_place to;

	if (r->opt->memory)
		sum.period = weight_of(s);
	if (r->branch) {
		to = rt_profile_find(r->profile, s, r->branch->to);
		sum.func = to.func;
		sum.address = to.address;
		sum.period = 1;
	}
	if (!r->plain && !take(r, s, &sum, extra))
		return 0;
	if (!r->opt->stacks)
		sum.stack = 0;
	sum.count = n;
	sum.period *= n;
	if (n ? rt_sums_add(&r->sums, &sum, extra) : rt_sums_find(&r->sums, &sum, extra))
		return rt_err_set(err, ENOMEM, "out of memory");
	return count_samples(r, sum.event, sum.filtered, n, err);
}

static int add_one(struct rt_report *r, const struct rt_profile_sample *s, struct rt_err *err)
{
	return add_times(r, s, 1, err);
}

/* Add each branch of a sample: it counts once, at its target. */
static int add_branches(struct rt_report *r, const struct rt_profile_sample *s, struct rt_err *err)
{
	uint64_t i;
	int ret = 0;

	for (i = 0; !ret && i < s->raw->branch.nr; i++) {
		r->branch = &s->raw->branch.entries[i];
		if (r->opt->hide_unresolved &&
		    !rt_profile_func(r->profile,
				     rt_profile_find(r->profile, s, r->branch->from).func)
			     ->symbol)
			continue;
		ret = add_one(r, s, err);
	}
	r->branch = NULL;
	return ret;
}

static int add(struct rt_report *r, const struct rt_profile_sample *s, struct rt_err *err)
{
	int ret = rt_report_settle(r, err);

	if (ret || is_switched_off(r, s->event))
		return ret;
	return r->opt->branches ? add_branches(r, s, err) : add_one(r, s, err);
}

int rt_report_add(void *report, const struct rt_profile_sample *s, struct rt_err *err)
{
	struct rt_report *r = report;

	return r->plain && add_recent(r, s) ? 0 : add(r, s, err);
}

int rt_report_find(struct rt_report *r, const struct rt_profile_sample *s, struct rt_err *err)
{
	return add_times(r, s, 0, err);
}

void rt_report_more(struct rt_report *r, uint32_t sum, uint64_t count, uint64_t weight)
{
	struct rt_sum *to = &r->sums.list[sum];

	to->count += count;
	to->period += weight;
	r->samples[to->event].all += count;
	r->samples[to->event].unfiltered += to->filtered ? 0 : count;
}

int rt_report_read(struct rt_report *r, struct rt_err *err)
{
	int ret = rt_profile_read(r->profile, rt_report_add, r, err);

	return ret ? ret : rt_report_settle(r, err);
}
