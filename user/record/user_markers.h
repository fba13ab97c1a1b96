/* SPDX-License-Identifier: GPL-2.0 */
/* user_markers.h - the markers (USDT) of a file. */
#ifndef RT_RECORD_USER_MARKERS_H
#define RT_RECORD_USER_MARKERS_H

#include "events/spec.h"

/*
 * Call each(arg, marker) for every marker of PATH until it returns non-zero.  0 or that value; or a
 * negative errno with *ERR set.
 */
int rt_user_markers(const char *path, int (*each)(void *arg, const struct rt_user_marker *marker),
		    void *arg, struct rt_err *err);

#endif
