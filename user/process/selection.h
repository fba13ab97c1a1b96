/* SPDX-License-Identifier: GPL-2.0 */
/* selection.h - which samples the user wants: by time, CPU and task. */
#ifndef RT_PROCESS_SELECTION_H
#define RT_PROCESS_SELECTION_H

#include "base/names.h"
#include "perfdata/read/reader.h"
#include "process/threads.h"
#include "process/timespan.h"

/* The options of a command as given; NULL: not given. */
struct rt_selection_text {
	const char *time, *cpus, *pids, *tids, *comms;
};

struct rt_selection { /* empty: everything */
	struct rt_timespans times;
	struct rt_numbers cpus, pids, tids;
	struct rt_names comms;
};

/* Parse everything except the times, for which the file must be open. */
int rt_selection_parse(struct rt_selection *sel, const struct rt_selection_text *text,
		       struct rt_err *err);
void rt_selection_free(struct rt_selection *sel);

/* Refuse --cpu if samples carry no CPU; checks the events from `from` on. */
int rt_selection_check_cpus(const struct rt_selection *sel, const struct rt_reader *reader,
			    size_t from, struct rt_err *err);

/* Whether everything is wanted. */
bool rt_selection_is_empty(const struct rt_selection *sel);

/* Whether a sample is wanted.  One without a CPU, or without a time, always is. */
bool rt_selection_wants(const struct rt_selection *sel, uint64_t time, uint32_t cpu);
bool rt_selection_wants_cpu(const struct rt_selection *sel, uint32_t cpu);
bool rt_selection_wants_task(const struct rt_selection *sel, const struct rt_thread *th);

#endif
