/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - one opening of the device: its rings, events and targets.
 */
#ifndef RT_SESSION_H
#define RT_SESSION_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "event.h"
#include "target.h"

struct rt_anchor_keeper;
struct rt_buffer;
struct rt_entries;
struct rt_ring;

struct rt_session {
	/* Read at every hit. */
	bool gate;	/* hits become records */
	bool data_maps; /* the side-band tells of mappings without code, too */
	struct rt_targets targets;
	struct rt_ring **ring; /* by CPU; NULL: none.  Set once, before the CPU's first hit. */
	struct rt_ring **side_ring;
	unsigned long **scratch; /* by CPU: room for one stack for each level */

	/* The control path's, under the lock. */
	struct mutex lock;
	struct rt_event_set events;
	struct rt_entries *entries; /* function entries while they are armed; else NULL */
	struct list_head link;	    /* among all sessions */
	struct list_head listening; /* among those that want the side-band */
	struct rt_buffer **buffer;  /* by CPU */
	struct rt_buffer **side_buffer;
	u64 bytes;			 /* charged for the rings */
	struct rt_anchor_keeper *anchor; /* NULL until there is something to find */

	/*
	 * The rings are all there, and stay until the session ends.  mmap() and poll(), which
	 * cannot take the lock, look at nothing before: a set-up that fails half-way takes
	 * back what it had made.
	 */
	bool ringed;

	/* Fixed once the rings are set up. */
	u32 mode;
	u32 subbufs; /* 0: no rings yet */
	u32 subbuf_bytes;
	u32 watermark;
	u8 uuid[16];
	u8 boot_id[16];

	wait_queue_head_t wait; /* of poll() */
};

struct rt_session *rt_session_new(void);
void rt_session_free(struct rt_session *session);

/* An ioctl: -ENOTTY for one that there is not. */
int rt_session_call(struct rt_session *session, unsigned int number, void __user *argument);

#endif
