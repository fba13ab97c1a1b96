// SPDX-License-Identifier: GPL-2.0
#include "record/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arch/pt_regs.h"
#include "record/watch_hits.h"

/* --- opening --------------------------------------------------------------------- */

void rt_recorded_attr(const struct rt_recorded *event, enum rt_arch arch, struct rt_attr *attr)
{
	*attr = (struct rt_attr){
		.type = RT_TYPE_TRACEPOINT,
		.sample_period = 1,
		.sample_type = RT_SAMPLE_RAW,
	};
	if (event->spec->kind == RT_SPEC_COUNTER)
		rt_sampling_attr(&event->sampling, attr);
	rt_sampling_attr_stacks(&event->sampling, event->carry, attr);
	attr->sample_max_stack = event->carry & RT_CARRY_STACK ? event->stack_max : 0;
	if (event->addresses || event->carry & RT_CARRY_ADDRESS)
		attr->sample_type |= RT_SAMPLE_ADDR;
	if (event->carry & RT_CARRY_REGISTERS) {
		attr->sample_type |= RT_SAMPLE_REGS_INTR;
		attr->sample_regs_intr = rt_pt_regs_mask(arch);
	}
}

int rt_recording_open(struct rt_recording *r, const struct rt_event_list *list,
		      char *const *filters, const struct rt_event_env *env,
		      const struct rt_recording_options *opt, struct rt_err *err)
{
	struct rt_rings rings = opt->rings;
	int ret;

	memset(r, 0, sizeof(*r));
	r->arch = env->arch;
	r->messages = opt->messages;
	r->list = list;
	r->strict = opt->strict;
	r->interrupted = opt->interrupted;
	r->path = opt->path;
	r->threads = opt->threads;
	r->raw = opt->raw;
	if (rt_recording_room(list) && !strcmp(r->path, "-"))
		return rt_err_set(err, EINVAL, "later:SYSTEM:NAME needs a file: leave out -o -");
	r->file = (struct rt_writer_options){
		.argc = opt->argc,
		.argv = opt->argv,
		.no_build_ids = opt->no_build_ids,
		.sync = opt->sync,
		.level = opt->level,
		.raw = opt->raw,
		.held = true,
		.terse = !opt->identifiers,
		.count_threads = opt->count_threads,
		.stalled = opt->stalled,
		.room = rt_recording_room(list),
	};
	/* A sub-buffer must hold several of the largest records. */
	if (!rings.subbuf_bytes &&
	    rt_sampling_most_bytes(list, opt->stacks, &opt->sampling) > RT_SUBBUF_DEFAULT / 4)
		rings.subbuf_bytes = 8 * RT_SUBBUF_DEFAULT;
	ret = rt_agent_session_open(&r->session, &rings, err);
	if (ret)
		return ret;
	r->file.clockid = r->session.info.clock == RT_CLOCK_MONOTONIC ? CLOCK_MONOTONIC :
									RT_WRITER_NO_CLOCKID;
	ret = r->path ? rt_writer_open(r->path, &r->file, &r->writer, err) : 0;
	if (ret)
		goto err_session;
	r->events = calloc(list->count, sizeof(*r->events));
	ret = r->events ? rt_recording_add_all(r, list, filters, env, opt, err) :
			  rt_err_set(err, ENOMEM, "out of memory");
	if (!ret)
		return 0;

	if (r->writer)
		rt_writer_abort(r->writer);
	r->writer = NULL;
	free(r->events);
	free(r->off.list);
	r->events = NULL;
err_session:
	rt_agent_session_close(&r->session);
	return ret;
}

/* --- closing --------------------------------------------------------------------- */

/* Which values of watches are uncertain: known only when all hits are in the file. */
static int settle_watches(const struct rt_recording *r, struct rt_err *err)
{
	struct rt_watch_hits_event *events;
	size_t i;
	int ret;

	if (r->arch != RT_ARCH_X86_64 || r->raw || r->file.level || !strcmp(r->path, "-"))
		return 0;
	events = calloc(r->count + 1, sizeof(*events));
	if (!events)
		return rt_err_set(err, ENOMEM, "out of memory");
	for (i = 0; i < r->count; i++)
		events[i] = (struct rt_watch_hits_event){ r->events[i].spec, r->events[i].file,
							  &r->events[i].counts };
	ret = rt_watch_hits_settle(r->path, r->session.fd, events, r->count, err);
	free(events);
	return ret;
}

int rt_recording_close(struct rt_recording *r, struct rt_err *err)
{
	int ret = 0;

	if (r->writer && r->began) {
		ret = rt_writer_close(r->writer, err);
		if (!ret)
			ret = settle_watches(r, err);
	} else if (r->writer) {
		rt_writer_abort(r->writer);
	}
	if (r->session.events)
		rt_agent_session_close(&r->session);
	rt_tasks_free(&r->tasks);
	rt_recording_free_later(r);
	free(r->events);
	free(r->off.list);
	memset(r, 0, sizeof(*r));
	r->session.fd = -1;
	return ret;
}
