/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RT_EVENTS_TRACEPOINT_H
#define RT_EVENTS_TRACEPOINT_H

#include "events/spec.h"

/* Call each(arg, system, name) for every event that tracefs lists. */
int rt_tracepoint_local(void *data, int (*each)(void *arg, const char *system, const char *name),
			void *arg);

/* Whether TEXT contains one of * ? [ */
bool rt_tracepoint_is_glob(const char *text);
/* Whether the whole TEXT matches; a PATTERN that is no glob matches itself. */
bool rt_tracepoint_matches(const char *pattern, const char *text);

/*
 * Call found(arg, system, name) for every tracepoint that matches; SYSTEM and NAME may be globs.
 * Return the number of matches, or the negative value that found() returned.
 */
int rt_tracepoint_match(const struct rt_event_env *env, const char *system, const char *name,
			int (*found)(void *arg, const char *system, const char *name), void *arg);

/*
 * Suggest events for TEXT, which names none: "; did you mean …?", or "".  The user may have left
 * out a tracepoint's system or misspelt a counter.
 */
const char *rt_tracepoint_suggest(const struct rt_event_env *env, const char *text, char *out,
				  size_t size);

#endif
