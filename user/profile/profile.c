// SPDX-License-Identifier: GPL-2.0
#include "profile/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "process/machine.h"
#include "profile/stacks.h"

#define PROGRESS_EVERY 1024 /* records */

struct rt_profile {
	struct rt_profile_options *opt;
	struct rt_reader *reader;
	struct rt_symbols *symbols;
	struct rt_machine machine;
	struct rt_funcs *funcs;
	struct rt_nodes *nodes;
	struct rt_stacks *stacks;
	size_t events_checked;
	rt_profile_fn fn;
	void *arg;
	rt_profile_record_fn on_record;
	void *on_record_arg;
};

static int make_parts(struct rt_profile *p, struct rt_err *err)
{
	struct rt_profile_options *opt = p->opt;
	struct rt_stacks_how how = {
		.stack = &opt->stack,
		.machine = &p->machine,
		.all_inlines = opt->all_inlines && !opt->no_inlines,
		.no_inlines = opt->no_inlines,
		.hide_unresolved = opt->hide_unresolved,
	};

	p->funcs = rt_funcs_new(&p->machine);
	p->nodes = rt_nodes_new(opt->by_address);
	if (p->funcs && p->nodes)
		p->stacks = rt_stacks_new(&how, p->funcs, p->nodes);
	return p->stacks ? 0 : rt_err_set(err, ENOMEM, "out of memory");
}

static int open_file(struct rt_profile *p, const char *path, struct rt_err *err)
{
	struct rt_profile_options *opt = p->opt;
	const struct rt_env *env;
	int ret;

	ret = rt_reader_open(path, &opt->reader, &p->reader, err);
	if (ret)
		return ret;
	env = rt_reader_env(p->reader);
	p->symbols = rt_symbols_open(&opt->symbols, err);
	if (!p->symbols)
		return -ENOMEM;
	ret = rt_machine_open(&p->machine, p->symbols, env, err);
	if (!ret)
		ret = rt_selection_check_cpus(&opt->want, p->reader, 0, err);
	if (!ret && opt->time)
		ret = rt_timespans_parse(&opt->want.times, opt->time, env->sample_time_first,
					 env->sample_time_last, false, err);
	return ret;
}

int rt_profile_open(struct rt_profile_options *opt, const char *path, struct rt_profile **out,
		    struct rt_err *err)
{
	struct rt_profile *p = calloc(1, sizeof(*p));
	int ret;

	*out = NULL;
	if (!p)
		return rt_err_set(err, ENOMEM, "out of memory");
	p->opt = opt;
	ret = open_file(p, path, err);
	opt->stack.symbols = p->symbols;
	if (!ret)
		ret = make_parts(p, err);
	if (ret) {
		rt_profile_close(p);
		return ret;
	}
	p->events_checked = rt_reader_events(p->reader)->count;
	rt_stack_settle(&opt->stack, p->reader);
	*out = p;
	return 0;
}

void rt_profile_close(struct rt_profile *p)
{
	if (!p)
		return;
	rt_stacks_free(p->stacks);
	rt_nodes_free(p->nodes);
	rt_funcs_free(p->funcs);
	rt_machine_close(&p->machine);
	if (p->symbols)
		rt_symbols_close(p->symbols);
	if (p->reader)
		rt_reader_close(p->reader);
	free(p);
}

/* ---- reading ---------------------------------------------------------------------- */

static int one_sample(struct rt_profile *p, const struct rt_perf_event *event,
		      const struct rt_sample *s, struct rt_err *err)
{
	struct rt_profile_sample out = { .event = event, .raw = s, .time = s->time, .cpu = s->cpu };
	struct rt_funcs_place place;
	struct rt_chain_sample of;
	struct rt_thread *th;

	if (s->cpumode == RT_MISC_GUEST_KERNEL || s->cpumode == RT_MISC_GUEST_USER)
		return 0; /* of an unknown machine */
	if (!rt_selection_wants(&p->opt->want, s->time, s->cpu))
		return 0;
	th = rt_threads_get(p->machine.threads, s->pid, s->tid);
	if (!th)
		return rt_err_set(err, ENOMEM, "out of memory");
	out.filtered = !rt_selection_wants_task(&p->opt->want, th);
	if (out.filtered && !p->opt->keep_filtered)
		return 0;
	out.thread = th;
	out.weight = s->period;
	place = rt_funcs_at(p->funcs, th->space->maps, s->cpumode, s->ip);
	out.func = place.func;
	out.address = place.address;
	if (!p->opt->no_stacks) {
		of = (struct rt_chain_sample){ event, s, th->space->maps };
		out.stack = rt_stacks_node(p->stacks, &of);
	}
	return p->fn(p->arg, &out, err);
}

static int sample_record(struct rt_profile *p, const struct rt_perf_record *rec,
			 const struct rt_perf_event *before, struct rt_sample *s,
			 struct rt_err *err)
{
	const struct rt_perf_event *event;
	struct rt_sample part;
	uint64_t i = 0;
	int ret;

	ret = rt_sample_parse_next(rec, before, s, err);
	if (ret)
		return ret;
	if (!rt_perf_event_has(rec->event, RT_SAMPLE_READ))
		return one_sample(p, rec->event, s, err);
	while (!ret && (event = rt_sample_split(p->reader, rec, s, &i, &part)))
		ret = one_sample(p, event, &part, err);
	return ret;
}

/* A pipe announces its events between other records. */
static int other_record(struct rt_profile *p, const struct rt_perf_record *rec, struct rt_err *err)
{
	size_t events = rt_reader_events(p->reader)->count;
	int ret;

	if (rt_reader_is_pipe(p->reader) && p->events_checked < events) {
		ret = rt_selection_check_cpus(&p->opt->want, p->reader, p->events_checked, err);
		if (ret)
			return ret;
		p->events_checked = events;
	}
	if (rec->hdr->type == RT_PERF_RECORD_HEADER_ATTR ||
	    rec->hdr->type == RT_PERF_RECORD_HEADER_FEATURE)
		rt_stack_settle(&p->opt->stack, p->reader);
	if (p->on_record)
		p->on_record(p->on_record_arg, rec);
	return rt_machine_apply(&p->machine, rec, err);
}

int rt_profile_read(struct rt_profile *p, rt_profile_fn fn, void *arg, struct rt_err *err)
{
	const struct rt_reader_stats *stats = rt_reader_stats(p->reader);
	const struct rt_perf_event *before = NULL;
	struct rt_progress progress;
	struct rt_perf_record rec;
	struct rt_sample s;
	uint64_t n = 0;
	int ret;

	p->fn = fn;
	p->arg = arg;
	rt_progress_start(&progress, p->opt->progress, "reading", stats->bytes_total);
	for (;;) {
		ret = rt_reader_next(p->reader, &rec, err);
		if (ret <= 0)
			break;
		ret = 0;
		if (rec.hdr->type != RT_PERF_RECORD_SAMPLE) {
			ret = other_record(p, &rec, err);
		} else if (rec.event) {
			ret = sample_record(p, &rec, before, &s, err);
			before = rec.event;
		}
		if (ret)
			break;
		if (++n % PROGRESS_EVERY == 0)
			rt_progress_update(&progress, stats->bytes_read);
	}
	rt_progress_end(&progress);
	return ret;
}

void rt_profile_on_record(struct rt_profile *p, rt_profile_record_fn fn, void *arg)
{
	p->on_record = fn;
	p->on_record_arg = arg;
}

struct rt_funcs_place rt_profile_at(struct rt_profile *p, const struct rt_profile_sample *s,
				    uint64_t address)
{
	return rt_funcs_at(p->funcs, s->thread->space->maps, s->raw->cpumode, address);
}

struct rt_funcs_place rt_profile_find(struct rt_profile *p, const struct rt_profile_sample *s,
				      uint64_t address)
{
	struct rt_funcs_place at =
		rt_funcs_at(p->funcs, s->thread->space->maps, RT_MISC_KERNEL, address);

	if (rt_funcs_get(p->funcs, at.func)->object)
		return at;
	return rt_funcs_at(p->funcs, s->thread->space->maps, RT_MISC_USER, address);
}

/* ---- looking at the result ------------------------------------------------------------ */

const struct rt_profile_func *rt_profile_func(const struct rt_profile *p, uint32_t func)
{
	return rt_funcs_get(p->funcs, func);
}

const struct rt_profile_node *rt_profile_node(const struct rt_profile *p, uint32_t node)
{
	return rt_nodes_get(p->nodes, node);
}

bool rt_profile_has_inlines(const struct rt_profile *p)
{
	return rt_funcs_any_inlined(p->funcs);
}

uint32_t rt_profile_func_count(const struct rt_profile *p)
{
	return rt_funcs_count(p->funcs);
}

uint32_t rt_profile_node_count(const struct rt_profile *p)
{
	return rt_nodes_count(p->nodes);
}

struct rt_reader *rt_profile_reader(const struct rt_profile *p)
{
	return p->reader;
}

struct rt_machine *rt_profile_machine(struct rt_profile *p)
{
	return &p->machine;
}
