/* SPDX-License-Identifier: GPL-2.0 */
/*
 * output.h - the files of a recording: one, or one after another, and their names.
 *
 * The file being written is always at PATH.  A file that is complete moves to PATH.TIME if the user
 * asked for several files or for times in names.
 */
#ifndef RT_RECORD_OUTPUT_H
#define RT_RECORD_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct rt_recording;

/* As typed. */
struct rt_output_options {
	const char *path;
	uint64_t max_size;     /* the recording ends at this many bytes; 0: no limit */
	bool switches;	       /* begin another file at the size or time below, and on SIGUSR2 */
	uint64_t switch_bytes; /* 0: not by size */
	uint64_t switch_ns;    /* 0: not by time */
	unsigned int keep;     /* delete all but this many of the complete files; 0: none */
	bool timestamp;	       /* put the time into the name */
};

/* --switch-output: NULL or "signal", a size such as 10M, or a time such as 30s, 5m, 1h. */
int rt_output_take_switch(struct rt_output_options *o, const char *text, struct rt_err *err);
/* --max-size: 10K, 10M, 1G. */
int rt_output_take_size(uint64_t *bytes, const char *text, const char *option, struct rt_err *err);
/* Refuse combinations that cannot work. */
int rt_output_check(const struct rt_output_options *o, struct rt_err *err);

struct rt_output {
	const struct rt_output_options *opt;
	char **names; /* of the complete files that are kept, oldest first */
	unsigned int count;
	unsigned int files;	 /* complete ones, also those deleted */
	uint64_t began;		 /* when the present file began, CLOCK_MONOTONIC */
	char *last;		 /* the name of the last complete file, or NULL */
	struct rt_err undeleted; /* an old file that could not be deleted; "": none */
};

/* Call when the first file has its name. */
void rt_output_begin(struct rt_output *o, const struct rt_output_options *opt,
		     struct rt_recording *r);
/* Whether the present file has reached the size at which the recording ends. */
bool rt_output_full(const struct rt_output *o, const struct rt_recording *r);
/* Whether it is time for another file.  ASKED: the user sent the signal. */
bool rt_output_due(const struct rt_output *o, const struct rt_recording *r, bool asked);
/* Milliseconds until that is so by the clock; -1: never. */
int rt_output_wait(const struct rt_output *o);
/* Complete the present file and begin another one. */
int rt_output_switch(struct rt_output *o, struct rt_recording *r, struct rt_err *err);
/* After the last file is closed: give it its final name. */
int rt_output_end(struct rt_output *o, struct rt_err *err);
void rt_output_free(struct rt_output *o);

#endif
