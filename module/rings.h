/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rings.h - the rings of a session, one for each CPU, and what all sessions' take.
 */
#ifndef RT_RINGS_H
#define RT_RINGS_H

#include <linux/types.h>

struct rt_rings;
struct rt_session;
struct vm_area_struct;

/* Once a session; under its lock. */
int rt_rings_set_up(struct rt_session *session, struct rt_rings *rings);

/* Hand out what the rings hold so far; under the session's lock. */
void rt_rings_flush(struct rt_session *session);

/* The end: first the way to the rings, when no handler runs any more the rings. */
void rt_rings_delist(struct rt_session *session);
void rt_rings_free(struct rt_session *session);

/* For the reader: whether there is something to read, and its mapping. */
bool rt_rings_ready(struct rt_session *session);
int rt_rings_map(struct rt_session *session, struct vm_area_struct *vma);

/* Whether any session's rings lie in [FROM, TO). */
bool rt_rings_own(u64 from, u64 to);

int rt_rings_init(void);
void rt_rings_exit(void);

#endif
