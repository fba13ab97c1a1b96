/* SPDX-License-Identifier: GPL-2.0 */
/*
 * debuginfod.h - debug information from the servers that DEBUGINFOD_URLS names, through libdebuginfod,
 * which is loaded when it is needed.  It keeps what it fetched in its own cache.
 */
#ifndef RT_TYPES_DEBUGINFOD_H
#define RT_TYPES_DEBUGINFOD_H

#include <limits.h>
#include <stdio.h>

#include "base/buildid.h"
#include "base/error.h"

/* Show downloads on this terminal; NULL, as at first: nowhere. */
void rt_debuginfod_show_on(FILE *terminal);

/* Whether DEBUGINFOD_URLS names a server. */
bool rt_debuginfod_wanted(void);

/*
 * Fetch the debug information with this build-id; PATH is where it is then.  Ctrl-C ends the download, and
 * so does a server that sends nothing for DEBUGINFOD_TIMEOUT seconds (default 30).  -ENOENT: no server
 * has it; -EINTR, -ETIMEDOUT, -ENOSYS and others; ERR has the sentence.
 */
int rt_debuginfod_find(const struct rt_buildid *id, char path[PATH_MAX], struct rt_err *err);

/* The same for the source file FILE, an absolute path in that debug information. */
int rt_debuginfod_source(const struct rt_buildid *id, const char *file, char path[PATH_MAX],
			 struct rt_err *err);

#endif
