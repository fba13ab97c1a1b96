/* SPDX-License-Identifier: GPL-2.0 */
/*
 * timespan.h - `--time`: the time ranges of a recording to print.
 *
 * START,STOP in seconds with up to nine decimals; either may be left out.  Several ranges are
 * separated by spaces.  Or percentages of the recording: 10%/2 (the second tenth), 0%-10%, 50%;
 * several are separated by commas.
 */
#ifndef RT_PROCESS_TIMESPAN_H
#define RT_PROCESS_TIMESPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct rt_timespan {
	uint64_t start, end; /* nanoseconds, both inclusive; 0: open */
};

struct rt_timespans {
	struct rt_timespan *list;
	unsigned int count; /* 0: no restriction */
};

/*
 * first and last are the times of the first and last sample from the header (0, 0: it has none);
 * relative: times count from the first.
 */
int rt_timespans_parse(struct rt_timespans *t, const char *text, uint64_t first, uint64_t last,
		       bool relative, struct rt_err *err);
void rt_timespans_free(struct rt_timespans *t);

/* Whether to print a record of this time.  A record without a time is always printed. */
bool rt_timespans_want(const struct rt_timespans *t, uint64_t time);

#endif
