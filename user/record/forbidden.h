/* SPDX-License-Identifier: GPL-2.0 */
/*
 * forbidden.h - functions that the kernel lets nobody probe, found before events are prepared: what a
 * definition says of variables and lines can take seconds each to look up.
 */
#ifndef RT_RECORD_FORBIDDEN_H
#define RT_RECORD_FORBIDDEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "events/spec.h"

/*
 * The next function that events in TEXT probe, as the event `kprobe:[MODULE:]FUNCTION`; moves *TEXT behind
 * it.  False: there is none left.  Globs and places that are no functions are passed over.
 */
bool rt_forbidden_next(const char **text, char *event, size_t size);

/* Refuse texts of -e that name functions in which the module puts no probe; all of them in one sentence. */
int rt_forbidden_check(const char *const *texts, size_t count, const struct rt_event_env *env,
		       struct rt_err *err);

#endif
