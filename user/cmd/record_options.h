/* SPDX-License-Identifier: GPL-2.0 */
/* record_options.h - the options of "ringtail record". */
#ifndef RT_CMD_RECORD_OPTIONS_H
#define RT_CMD_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/options.h"
#include "record/output.h"
#include "record/recording.h"
#include "record/targets.h"

struct rt_record_options {
	struct rt_event_env env;
	struct rt_event_list list;
	/* -e and --filter as typed, in their order; one of both is set. */
	struct rt_record_asked {
		const char *event, *filter;
	} * asked;
	size_t asked_count;
	char **filters; /* one per event of the list; NULL: no filter */
	struct rt_target_options targets;
	struct rt_recording_options recording;
	struct rt_output_options output;
	double duration; /* seconds; 0: until the command ends or Ctrl-C */
	int delay;	 /* milliseconds before recording begins; -1: until `enable` comes */
	const char *control;
	const char *clock; /* a name, as for perf */
	bool dry_run;	   /* only try whether this can be recorded */
	int verbose;
	uint64_t ring; /* bytes per CPU; 0: not given */
	bool overwrite;
	bool force; /* also what may crash the probed program */
	bool quiet;
	bool ignored; /* options of perf that change nothing here */
};

/* Return the number of words of the command to record, RT_OPTIONS_HELP, or a negative errno. */
int rt_record_options_parse(struct rt_record_options *opt, int argc, char **argv,
			    struct rt_err *err);
/* For other commands that choose events: add the events of one -e; the options -e and --filter. */
int rt_record_add_event(struct rt_record_options *opt, const char *value, struct rt_err *err);
int rt_record_take_event(const struct rt_option *o, const char *value, bool off,
			 struct rt_err *err);
int rt_record_take_filter(const struct rt_option *o, const char *value, bool off,
			  struct rt_err *err);
/* Behind all options: add the events that they asked for. */
int rt_record_settle_events(struct rt_record_options *opt, struct rt_err *err);
void rt_record_options_free(struct rt_record_options *opt);

#endif
