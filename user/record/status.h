/* SPDX-License-Identifier: GPL-2.0 */
/* status.h - one line on a terminal about a recording that runs: time, rate, size, losses. */
#ifndef RT_RECORD_STATUS_H
#define RT_RECORD_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "record/recording.h"

struct rt_status {
	FILE *terminal;	       /* NULL: show nothing */
	uint64_t began, shown; /* nanoseconds */
	uint64_t samples;      /* when the line was shown last */
	bool visible;
};

/* Show nothing if STREAM is NULL or no terminal. */
void rt_status_begin(struct rt_status *s, FILE *stream);
/* Call often: the line changes once per second. */
void rt_status_update(struct rt_status *s, const struct rt_recording *r);
/* Erase the line; call this before anything else is written to the terminal. */
void rt_status_hide(struct rt_status *s);

#endif
