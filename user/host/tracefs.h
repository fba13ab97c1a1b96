/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracefs.h - the files of tracefs: the list of events, and the text that describes each event's
 * record (events/SYSTEM/EVENT/format).  Also makes such texts for ringtail's own events.
 */
#ifndef RT_HOST_TRACEFS_H
#define RT_HOST_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "host/host.h"

/* The number in the text's ID line, or -EINVAL. */
int rt_format_id(const char *text);
/* Copy the text with another number in its ID line; NULL: no memory or no such line. */
char *rt_format_with_id(const char *text, unsigned id);

/* Where tracefs is mounted, or NULL; then FORBIDDEN (may be NULL) says whether access is denied. */
const char *rt_tracefs_path(const struct rt_host *host, char path[PATH_MAX], bool *forbidden);
/* Read a file below it as text that the caller frees; -ENOENT if tracefs is not mounted. */
int rt_tracefs_read(const struct rt_host *host, const char *file, char **text, size_t *size);
/*
 * Call each() for every event that tracefs lists until it returns non-zero.  Return that value, or
 * a negative errno if the list cannot be read.
 */
int rt_tracefs_events(const struct rt_host *host,
		      int (*each)(void *arg, const char *system, const char *name), void *arg);
/* The same for the events of tracefs' own tracers (ftrace:function), which that list leaves out. */
int rt_tracefs_own_events(const struct rt_host *host,
			  int (*each)(void *arg, const char *system, const char *name), void *arg);
/* Read the format of SYSTEM:EVENT as text that the caller frees. */
int rt_tracefs_format(const struct rt_host *host, const char *system, const char *event,
		      char **text, struct rt_err *err);

#endif
