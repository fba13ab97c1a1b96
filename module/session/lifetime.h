/* SPDX-License-Identifier: GPL-2.0 */
/* lifetime.h - sessions begin, are referred to, and end. */
#ifndef RT_LIFETIME_H
#define RT_LIFETIME_H

struct rt_session;

/* With one reference. */
struct rt_session *rt_session_new(void);
void rt_session_get(struct rt_session *session);
/* May sleep: the last reference ends the session. */
void rt_session_put(struct rt_session *session);

/* Shut the gate and disarm everything; under the session's lock. */
void rt_session_disable(struct rt_session *session);

#endif
