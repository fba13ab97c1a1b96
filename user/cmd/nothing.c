// SPDX-License-Identifier: GPL-2.0
#include "cmd/nothing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"

enum { LIST_MAX = 300 };

static size_t put_option(char *list, size_t used, const char *name, const char *value)
{
	if (!value || used >= LIST_MAX)
		return used;
	return used + (size_t)snprintf(list + used, LIST_MAX - used, "%s%s%s%.60s",
				       used ? " and " : "", name, *name ? " " : "", value);
}

static double seconds(uint64_t ns)
{
	return (double)(ns / 1000) / 1e6;
}

void rt_nothing_explain(const struct rt_reader *reader, const struct rt_nothing_options *opt,
			struct rt_err *err)
{
	uint64_t samples = rt_reader_stats(reader)->by_type[RT_PERF_RECORD_SAMPLE];
	const struct rt_selection_text *want = opt->want;
	const struct rt_env *env = rt_reader_env(reader);
	char list[LIST_MAX] = "", span[96] = "";
	size_t used = 0;

	if (want->time && env->sample_time_last)
		snprintf(span, sizeof(span), "; its samples are from %.6f to %.6f seconds",
			 seconds(env->sample_time_first), seconds(env->sample_time_last));
	used = put_option(list, used, "--time", want->time);
	used = put_option(list, used, "--cpu", want->cpus);
	used = put_option(list, used, "--pid", want->pids);
	used = put_option(list, used, "--tid", want->tids);
	used = put_option(list, used, "--comms", want->comms);
	used = put_option(list, used, "--dsos", opt->objects);
	used = put_option(list, used, "--symbols", opt->symbols);
	used = put_option(list, used, "", opt->other);
	if (!samples)
		rt_err_set(err, ENODATA,
			   "%s has no samples: no event occurred while it was recorded",
			   rt_reader_path(reader));
	else if (used)
		rt_err_set(err, ENODATA,
			   "nothing is shown: none of the %" PRIu64 " samples of %s fits %s%s",
			   samples, rt_reader_path(reader), list, span);
	else
		rt_err_set(err, ENODATA,
			   "nothing is shown: the %" PRIu64
			   " samples of %s have nothing of what was "
			   "asked for",
			   samples, rt_reader_path(reader));
}

void rt_nothing_say(const struct rt_reader *reader, const struct rt_nothing_options *opt)
{
	struct rt_err err;

	rt_nothing_explain(reader, opt, &err);
	rt_warning("%s", err.text);
}

bool rt_nothing_of_stacks(const struct rt_reader *reader, const char *event)
{
	const uint64_t stacks = RT_SAMPLE_CALLCHAIN | RT_SAMPLE_STACK_USER | RT_SAMPLE_BRANCH_STACK;
	const struct rt_perf_events *events = rt_reader_events(reader);
	size_t i;

	for (i = 0; i < events->count; i++)
		if ((!event || !strcmp(rt_perf_event_name(events->list[i]), event)) &&
		    events->list[i]->attr.sample_type & stacks)
			return false;
	return true;
}
