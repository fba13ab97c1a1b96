/* SPDX-License-Identifier: GPL-2.0 */
/*
 * anchor.h - the page from which somebody with a memory image finds all of a session:
 * its rings, its events, the kernel and its modules.  struct rt_anchor is what it holds.
 *
 * Called with the session's lock held, may sleep.
 */
#ifndef RT_ANCHOR_H
#define RT_ANCHOR_H

#include <linux/types.h>

#include <uapi/ringtail.h>

struct rt_event;
struct rt_ring;
struct rt_ring_config;
struct rt_session;

/* The session has an anchor from now on. */
int rt_anchor_need(struct rt_session *session);
/* It cannot be found any more, nor what it led to. */
void rt_anchor_drop(struct rt_session *session);

/* A ring has come; also called with a CPU on its way, without the session's lock. */
void rt_anchor_add_ring(struct rt_session *session, const struct rt_ring *ring,
			const struct rt_ring_config *shape);

/* An event has been added; *REFUSAL is filled where that fails. */
int rt_anchor_add_event(struct rt_session *session, const struct rt_event *event,
			const struct rt_event_add *add, struct rt_refusal *refusal);

/* Note both clocks at this moment. */
void rt_anchor_set_clock(struct rt_session *session);

#endif
