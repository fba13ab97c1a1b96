/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - one session: its rings, events and targets.  Handlers see only its channel.
 *
 * Each file of the session holds a reference, and so does its pin (pins.h).  Whoever drops the last one
 * ends the session, so nobody else uses it then.
 */
#ifndef RT_SESSION_H
#define RT_SESSION_H

#include <linux/cpumask.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/wait.h>

#include <uapi/ringtail.h>

#include "event/channel.h"
#include "event/event.h"

struct rt_anchor_keeper;
struct rt_buffer;
struct file_operations;

/* Who has pinned the session (pins.h). */
enum rt_maps {
	RT_MAPS_CODE,  /* those with code */
	RT_MAPS_FILES, /* also all others of files: unwinders read their tables there */
	RT_MAPS_ALL,   /* whatever a data address may be in */
	RT_MAPS_KINDS
};

struct rt_session_pin {
	struct list_head link; /* among all pins; empty: the session is not pinned */
	char name[RT_PIN_NAME_MAX];
	char comm[RT_COMM_LEN];
	kuid_t uid;
	struct pid *pid;
	u64 since, since_wall;
};

struct rt_session {
	struct rt_channel channel; /* read at every hit */

	/* Read by the side-band's hooks. */
	bool stopped;		    /* the gate stays shut until the session is enabled again */
	u8 maps;		    /* which mappings the side-band reports: enum rt_maps */
	pid_t opener;		    /* the process whose exec opens the gate; 0: none */
	struct list_head listening; /* among the sessions that receive the side-band */

	struct kref references;
	const struct file_operations *files; /* of its files */
	struct rt_session_pin pin;	     /* under the lock of pins.c */

	/* Used by the control path under the lock. */
	struct mutex lock;
	struct rt_event_set events;
	struct list_head link;	   /* among all sessions with rings (sessions.h) */
	struct rt_buffer **buffer; /* by CPU */
	struct rt_buffer **side_buffer;
	u64 bytes;	     /* charged for the rings: written by RINGS, then by CPU hotplug */
	cpumask_var_t asked; /* the CPUs whose rings RINGS makes; fixed once the session is listed */
	struct rt_anchor_keeper *anchor; /* NULL until the session has rings or events */

	/*
	 * All rings exist and stay until the session ends.  mmap() and poll() cannot take the lock
	 * and use no ring before this is set: a set-up that fails half-way frees its rings again.
	 */
	u32 ringed; /* a flag; not a bool, because smp_store_release() of older kernels takes words */

	/* Fixed once the rings are set up. */
	u32 mode;
	u32 side_mode;
	u32 subbufs; /* 0: no rings yet */
	u32 subbuf_bytes;
	u32 watermark;
	bool kept; /* in the memory that the next boot leaves alone */
	u8 uuid[16];
	u8 boot_id[16];

	wait_queue_head_t wait; /* of poll() */
};

/* What handlers use on a CPU; NULL: there is no such CPU. */
static inline struct rt_channel_cpu *rt_session_cpu(const struct rt_session *session, u32 cpu)
{
	return cpu < nr_cpu_ids && cpu_possible(cpu) ? per_cpu_ptr(session->channel.cpu, cpu) :
						       NULL;
}

/* Let hits become records, unless the session was stopped; in any context. */
static inline void rt_session_open_gate(struct rt_session *session)
{
	WRITE_ONCE(session->channel.gate, true);
	smp_mb(); /* pairs with smp_mb() in rt_session_stop(): one of the two sees the other */
	if (READ_ONCE(session->stopped))
		WRITE_ONCE(session->channel.gate, false);
}

/* Without the lock: arming and disarming thousands of probes must not delay this. */
static inline void rt_session_stop(struct rt_session *session)
{
	WRITE_ONCE(session->stopped, true);
	smp_mb(); /* pairs with smp_mb() in rt_session_open_gate() */
	WRITE_ONCE(session->channel.gate, false);
}

#endif
