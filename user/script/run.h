/* SPDX-License-Identifier: GPL-2.0 */
/*
 * run.h - from the opened file to the last line: every record in order, the side-band
 * applied, the samples that are wanted printed.
 */
#ifndef RT_SCRIPT_RUN_H
#define RT_SCRIPT_RUN_H

#include "base/names.h"
#include "script/script.h"
#include "script/timespan.h"

struct rt_script_run {
	struct rt_script *script;

	/* What is wanted; empty: everything. */
	struct rt_timespans times;
	struct rt_numbers cpus, pids, tids;
	struct rt_names comms;
	const char *switch_on, *switch_off; /* names of events */
	bool show_switch_events;

	bool relative_time, delta_time;
	unsigned int show;    /* RT_SHOW_*: records besides samples */
	bool dump;	      /* -D */
	bool features;	      /* --header of a pipe: they come as records */
	bool full_features;   /* -I */
	unsigned int threads; /* 0: one for each processor */

	/* Running. */
	uint64_t first_time, previous_time;
	int data_src_width;
	const struct rt_event *on, *off;
	bool discarding;
};

/* The exit status of the command; everything there is to say has been said. */
int rt_script_run(struct rt_script_run *run);

#endif
