/* SPDX-License-Identifier: GPL-2.0 */
/*
 * timespan.h - `--time`: the stretches of a recording that are wanted.
 *
 * START,STOP in seconds with up to nine decimals, either may be left out; several,
 * separated by spaces; or by percent of the recording: 10%/2 (the second tenth),
 * 0%-10%, 50%, several separated by commas.
 */
#ifndef RT_SCRIPT_TIMESPAN_H
#define RT_SCRIPT_TIMESPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct rt_timespan {
	uint64_t start, end; /* nanoseconds, both included; 0: open */
};

struct rt_timespans {
	struct rt_timespan *list;
	unsigned int count; /* 0: everything is wanted */
};

/*
 * first and last are the times of the first and last sample as the header has them
 * (0, 0: it has none); relative: times are counted from the first.
 */
int rt_timespans_parse(struct rt_timespans *t, const char *text, uint64_t first, uint64_t last,
		       bool relative, struct rt_err *err);
void rt_timespans_free(struct rt_timespans *t);

/* A record without a time is always wanted. */
bool rt_timespans_want(const struct rt_timespans *t, uint64_t time);

#endif
