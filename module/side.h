/* SPDX-License-Identifier: GPL-2.0 */
/*
 * side.h - the side-band: tasks, mappings and modules as they come, change and go.
 */
#ifndef RT_SIDE_H
#define RT_SIDE_H

struct rt_session;

/* Begin and end writing to the session's side-band rings.  May sleep. */
int rt_side_start(struct rt_session *session);
void rt_side_stop(struct rt_session *session);

#endif
