/* SPDX-License-Identifier: GPL-2.0 */
/*
 * expand.h - the compact records of the rings as records of a perf.data file.
 */
#ifndef RT_RECORD_EXPAND_H
#define RT_RECORD_EXPAND_H

#include "agent/subbuf.h"
#include "record/recording.h"

/* 0 or the writer's negative errno.  A record that cannot be is skipped and counted. */
int rt_expand_event(struct rt_recording *r, const struct rt_record *rec, uint32_t cpu);
int rt_expand_side(struct rt_recording *r, const struct rt_record *rec, uint32_t cpu);

/* The text of a tracepoint's format file, to be freed; NULL with the reason. */
char *rt_expand_format(const char *system, const char *name, struct rt_err *err);

#endif
