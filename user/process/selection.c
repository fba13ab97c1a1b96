// SPDX-License-Identifier: GPL-2.0
#include "process/selection.h"

#include <errno.h>

#define NO_CPU UINT32_MAX

int rt_selection_parse(struct rt_selection *sel, const struct rt_selection_text *text,
		       struct rt_err *err)
{
	int ret = 0;

	if (text->cpus)
		ret = rt_numbers_parse(&sel->cpus, "cpu", text->cpus, err);
	if (!ret && text->pids)
		ret = rt_numbers_parse(&sel->pids, "pid", text->pids, err);
	if (!ret && text->tids)
		ret = rt_numbers_parse(&sel->tids, "tid", text->tids, err);
	if (!ret && text->comms)
		ret = rt_names_parse(&sel->comms, text->comms, err);
	return ret;
}

void rt_selection_free(struct rt_selection *sel)
{
	rt_timespans_free(&sel->times);
	rt_numbers_free(&sel->cpus);
	rt_numbers_free(&sel->pids);
	rt_numbers_free(&sel->tids);
	rt_names_free(&sel->comms);
}

int rt_selection_check_cpus(const struct rt_selection *sel, const struct rt_reader *reader,
			    size_t from, struct rt_err *err)
{
	const struct rt_perf_events *events = rt_reader_events(reader);
	size_t i;

	for (i = from; sel->cpus.count && i < events->count; i++)
		if (!rt_perf_event_has(events->list[i], RT_SAMPLE_CPU))
			return rt_err_set(
				err, EINVAL,
				"event '%s' was recorded without CPU numbers: leave --cpu out, or record with -a or --sample-cpu",
				rt_perf_event_name(events->list[i]));
	return 0;
}

bool rt_selection_is_empty(const struct rt_selection *sel)
{
	return !(sel->times.count || sel->cpus.count || sel->pids.count || sel->tids.count ||
		 sel->comms.count);
}

bool rt_selection_wants_cpu(const struct rt_selection *sel, uint32_t cpu)
{
	return !sel->cpus.count || cpu == NO_CPU || rt_numbers_has(&sel->cpus, cpu);
}

bool rt_selection_wants(const struct rt_selection *sel, uint64_t time, uint32_t cpu)
{
	return rt_timespans_want(&sel->times, time) && rt_selection_wants_cpu(sel, cpu);
}

bool rt_selection_wants_task(const struct rt_selection *sel, const struct rt_thread *th)
{
	if (sel->comms.count && !rt_names_has(&sel->comms, th->comm))
		return false;
	if (sel->pids.count && (th->pid < 0 || !rt_numbers_has(&sel->pids, (uint64_t)th->pid)))
		return false;
	return !sel->tids.count || (th->tid >= 0 && rt_numbers_has(&sel->tids, (uint64_t)th->tid));
}
