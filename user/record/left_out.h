/* SPDX-License-Identifier: GPL-2.0 */
/*
 * left_out.h - events that match a glob but that the module cannot record, and tracepoints that it
 * records in another way.  The recording goes on, and the user is told which they are.
 */
#ifndef RT_RECORD_LEFT_OUT_H
#define RT_RECORD_LEFT_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "events/spec.h"
#include "record/recording.h"

/* Whether the rest of a glob can still be recorded after a refusal for REASON (RT_REFUSED_*). */
bool rt_left_out_may(const struct rt_event_spec *spec, unsigned int reason);

/* Refuse a glob if none of its events can be recorded. */
int rt_left_out_check(const struct rt_event_list *list, struct rt_err *err);

/* ENABLE left out some events: note them in the list, or refuse one that is not of a glob. */
int rt_left_out_take(struct rt_recording *r, struct rt_err *err);

/* One line for the next glob at or behind *AT that misses events, or NULL; the caller frees it. */
char *rt_left_out_line(const struct rt_event_list *list, size_t *at);

/* One line for the tracepoints that come through perf_events, or NULL; the caller frees it. */
char *rt_through_perf_line(const struct rt_recording *r);

#endif
