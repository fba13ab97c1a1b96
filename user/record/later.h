/* SPDX-License-Identifier: GPL-2.0 */
/*
 * later.h - tracepoints of modules that load while the recording runs (`-e later:SYSTEM:NAME`).  The
 * session has one event for the pattern; the file gets one for each tracepoint when it appears.
 */
#ifndef RT_RECORD_LATER_H
#define RT_RECORD_LATER_H

#include <stdint.h>

#include "record/recording.h"

/* A tracepoint that the event ID has found.  A number stands for the newest one since that time. */
struct rt_later {
	uint32_t id, number;
	uint64_t since;
	char *name;    /* "SYSTEM:NAME" */
	char *format;  /* NULL: its module was gone before the format could be read */
	int file;      /* its number in the file */
	bool replaced; /* a newer one has the same number */
};

/* Take what was found since the last call; cheap if no event has a pattern. */
int rt_later_take(struct rt_recording *r, struct rt_err *err);
/* The tracepoint of a record, or NULL. */
const struct rt_later *rt_later_find(struct rt_recording *r, uint32_t id, uint32_t number,
				     uint64_t time);
/* Add all tracepoints of the pattern to another file. */
int rt_later_refile(struct rt_recording *r, const struct rt_recorded *pattern, struct rt_err *err);
/* What is special about these events, or NULL; the caller frees it. */
char *rt_later_line(const struct rt_recording *r);

#endif
