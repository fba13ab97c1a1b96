/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sessions.h - the sessions that have rings: how many there are, how many there may be, and a walk over
 * them when a CPU comes online.
 */
#ifndef RT_SESSIONS_H
#define RT_SESSIONS_H

#include <linux/types.h>

struct rt_session;

u32 rt_sessions_count(void);
u32 rt_sessions_limit(void);

/* 0; -ENOSPC: there are as many as there may be; -EINTR: the caller was killed while it waited. */
int rt_sessions_add(struct rt_session *session);

/* Wait until rt_sessions_visit() has left this session; it does not come again. */
void rt_sessions_remove(struct rt_session *session);

/*
 * Call RUN for each session, without a lock: others may be added and removed meanwhile.  One caller at a time:
 * that of CPU hotplug.
 */
void rt_sessions_visit(void (*run)(struct rt_session *session, unsigned int cpu), unsigned int cpu);

#endif
