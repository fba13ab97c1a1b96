/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pins.h - sessions that stay when their files are closed.
 *
 * Locks: a session's lock may be held when the list's lock is taken, never the other way round, and never
 * the locks of two sessions.  A session in the list has the reference of its pin, so whoever finds it under
 * the list's lock can take another one.  Each pin also holds the module: its exit finds the list empty.
 */
#ifndef RT_PINS_H
#define RT_PINS_H

#include <uapi/ringtail.h>

struct rt_session;

/* Pin a session; under its lock. */
int rt_pins_add(struct rt_session *session, const struct rt_pin *pin, struct rt_refusal *refusal);
/* Unpin and disarm the session of that name; under no lock. */
int rt_pins_remove(const struct rt_pin *pin, struct rt_refusal *refusal);
/* The session of that name with a reference for the caller, or an ERR_PTR(). */
struct rt_session *rt_pins_find(const struct rt_pin *pin, struct rt_refusal *refusal);
/* Describe number PINNED->index. */
int rt_pins_tell(struct rt_pinned *pinned);

#endif
