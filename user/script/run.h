/* SPDX-License-Identifier: GPL-2.0 */
/*
 * run.h - print an opened file: read every record in order, apply the side-band, print the selected
 * samples.
 *
 * This folder: the loop of `ringtail script` and its threads; the folders print and dump format
 * what it reads.  May use: base, perfdata, perfdata/read, perfdata/text, process, symbols,
 * symbols/kernel, symbols/lines, symbols/unwind, stack, traceformat, script/dump, script/print.
 */
#ifndef RT_SCRIPT_RUN_H
#define RT_SCRIPT_RUN_H

#include "process/selection.h"
#include "script/print/script.h"

struct rt_script_run {
	struct rt_script *script;
	FILE *out;	/* everything is printed here */
	FILE *progress; /* for a progress bar if it is a terminal; NULL: none */

	struct rt_selection want;
	const char *switch_on, *switch_off; /* names of events */
	bool show_switch_events;

	bool relative_time, delta_time;
	unsigned int show;    /* RT_SHOW_*: other records to print */
	bool dump;	      /* -D */
	bool features;	      /* --header of a pipe: features come as records */
	bool full_features;   /* -I */
	unsigned int threads; /* 0: one per processor */

	/* State while running. */
	uint64_t first_time, previous_time;
	int data_src_width;
	const struct rt_perf_event *on, *off;
	bool discarding;
	bool printed;	/* anything */
	bool cut_short; /* writing failed, so the file was not read to its end */
};

/* 0, or a negative errno with the reason; -EPIPE if the reader of the output is gone. */
int rt_script_run(struct rt_script_run *run, struct rt_err *err);

#endif
