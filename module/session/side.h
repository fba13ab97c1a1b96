/* SPDX-License-Identifier: GPL-2.0 */
/*
 * side.h - the side-band: records about tasks, mappings and modules.
 */
#ifndef RT_SIDE_H
#define RT_SIDE_H

#include <linux/types.h>

struct rt_session;

/*
 * Start and stop writing to the session's side-band rings, under the session's lock or at its end.  May
 * sleep; -EINTR: the caller was killed while it waited.
 */
int rt_side_start(struct rt_session *session);
void rt_side_stop(struct rt_session *session);

/* Records that the side-band lacks: bits 1 << RT_SIDE_*, as found when it was last started or stopped. */
u32 rt_side_missing(void);

/* Once, at load. */
void rt_side_try(void);

#endif
