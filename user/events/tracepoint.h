/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_EVENTS_TRACEPOINT_H
#define RT_EVENTS_TRACEPOINT_H

#include "events/spec.h"

/* Call each(arg, system, name) for every event that tracefs lists. */
int rt_tracepoint_local(void *data, int (*each)(void *arg, const char *system, const char *name),
			void *arg);

/* Whether TEXT has one of * ? [ */
bool rt_tracepoint_is_glob(const char *text);

/*
 * Call found(arg, system, name) for every tracepoint that matches; SYSTEM and
 * NAME may be globs.  Returns how many there were, or what found() returned if
 * it was negative.
 */
int rt_tracepoint_match(const struct rt_event_env *env, const char *system, const char *name,
			int (*found)(void *arg, const char *system, const char *name), void *arg);

#endif
