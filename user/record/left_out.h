/* SPDX-License-Identifier: GPL-2.0 */
/*
 * left_out.h - tracepoints that a glob matches and the module cannot record: the others are
 * recorded, and these are told.
 */
#ifndef RT_RECORD_LEFT_OUT_H
#define RT_RECORD_LEFT_OUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "events/spec.h"

/* Whether a refusal for REASON (RT_REFUSED_*) leaves the rest of a glob as it is. */
bool rt_left_out_may(const struct rt_event_spec *spec, unsigned int reason);

/* A glob of which nothing is left is refused. */
int rt_left_out_check(const struct rt_event_list *list, struct rt_err *err);

/* One line for the next glob at or behind *AT that is not whole, to be freed; or NULL. */
char *rt_left_out_line(const struct rt_event_list *list, size_t *at);

#endif
