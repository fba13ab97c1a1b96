/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event.h - the events of a session, one struct rt_event each, and struct rt_source, the interface
 * that every source of events implements.
 */
#ifndef RT_EVENT_H
#define RT_EVENT_H

#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/sched/signal.h>
#include <linux/types.h>

#include <uapi/ringtail.h>

#include "program/program.h"

struct rt_channel;
struct rt_event;
struct rt_event_set;
struct rt_uprobe_worker;

/*
 * A source.  prepare() checks everything and patches nothing.  arm() puts the probes in place;
 * disarm() removes them and returns only when no handler runs any more.  arm(), disarm() and
 * release() work on all events of a session that have this source, so that they wait for the kernel's
 * grace periods once.  All are called with the session's lock held and may sleep.  A disarm() whose caller
 * is killed may leave the rest to a worker, which the session's end and the next ENABLE wait for.
 */
struct rt_source {
	u32 kind;
	u32 carry;	 /* RT_CARRY_* that it supports */
	u32 registers;	 /* number of registers that programs may read */
	u32 contexts;	 /* 1 << RT_CONTEXT_* that programs may read */
	u32 lockdown;	 /* RT_LOCKDOWN_* bits; each of them forbids this source */
	u32 place;	 /* enum rt_place_kind: what the `where` of its events is */
	u32 crowd;	 /* limit of events at one place */
	u32 argument;	 /* bytes of rt_event_add.room that it uses */
	bool own_fields; /* the kernel provides the fields: no fetch program */
	/* What works on this machine, for INFO: RT_SOURCE_* bits; NULL: nothing to tell. */
	u64 (*works)(void);
	int (*prepare)(struct rt_event *event, const struct rt_event_add *add,
		       struct rt_refusal *refusal);
	int (*arm)(struct list_head *events, struct rt_refusal *refusal);
	void (*disarm)(struct list_head *events);
	/* Note the events that the kernel no longer delivers; NULL: it always does. */
	void (*look)(struct list_head *events);
	void (*missed)(struct rt_event *event, u64 *missed);
	/* Repeated traps of the same hit; NULL: there are none. */
	u64 (*repeated)(struct rt_event *event);
	/* Optional: add for how many nanoseconds, and how often, the event was off on the CPU. */
	void (*off)(struct rt_event *event, int cpu, u64 *ns, u64 *times);
	/* With off(): keep the same numbers up to date here, too, for as many CPUs from 0 on. */
	void (*tell_off)(struct rt_event *event, struct rt_anchor_off *off, u32 cpus);
	/* Disarm what is still armed, then undo prepare(). */
	void (*release)(struct list_head *events);
};

/* Written by nested contexts of its own CPU; read by any CPU. */
struct rt_event_count {
	u64 entered;
	u64 written;
	u64 filtered;
	u64 own; /* part of filtered: hits of the agent */
	u64 lost[RT_LOST_CAUSES];
};

struct rt_event {
	/* Read at every hit; fixed when the event was added. */
	struct rt_channel *channel;
	struct rt_event_count __percpu *count;
	u32 id;
	u32 carry;
	u32 stack_max;
	u32 user_bytes;
	u32 agent; /* process whose hits hit_fast.h leaves to hit.c; set when it is armed */
	u32 saved; /* argument registers of the function's entry that programs may read */
	u64 user_registers;
	bool filtered;	   /* there is a filter */
	bool selective;	   /* it has a filter, or the session targets; set when it is armed */
	bool careful;	   /* it needs more than hit_fast.h does; set when it is armed */
	bool shows_caller; /* a record could show where the function returns to */
	struct rt_code fetch;
	struct rt_code filter;

	/* Used by the control path under the session's lock. */
	const struct rt_source *source;
	struct rt_event_set *set;
	struct list_head link; /* in the set's list for this source */
	struct rt_insn *fetch_slots;
	struct rt_insn *filter_slots;
	void *probe; /* private to the source */
	u32 refused; /* RT_REFUSED_*: why it is not armed although the session is; 0: it is */
	u64 bytes;   /* charged for this event, see memory.h */
	u64 where;   /* rt_place_claim.key */
	struct rt_place *place;
	u64 cost; /* of a hit at worst, as counted there */
};

/* All sources, for rt_event_set_init(). */
#define RT_SOURCES 11

/* The events of a session. */
struct rt_event_set {
	struct rt_channel *channel;
	const struct rt_source *const *sources; /* RT_SOURCES of them */
	struct list_head of_source[RT_SOURCES];
	struct rt_event **by_id;
	u32 count;
	u32 room;
	bool armed;
	bool lenient; /* arm the others if one event cannot be armed */
	u32 left_out; /* events that are not armed for that reason */
	bool ending;  /* nobody uses the session any more: disarm() need not wait for a worker */
	struct rt_uprobe_worker *uprobe_worker; /* NULL: there has been no user probe */
};

void rt_event_set_init(struct rt_event_set *set, struct rt_channel *channel,
		       const struct rt_source *const *sources);

/*
 * ADD, in two steps, so that the caller can still refuse an event that is ready: an event with its
 * id, or an ERR_PTR() with *REFUSAL filled.  Then either enroll it or drop it.
 */
struct rt_event *rt_event_prepare(struct rt_event_set *set, const struct rt_event_add *add,
				  struct rt_refusal *refusal);
void rt_event_enroll(struct rt_event *event);
void rt_event_drop(struct rt_event *event);

/* Arm all events of the set, or none; if it is lenient, those that can be armed. */
int rt_event_arm_all(struct rt_event_set *set, struct rt_refusal *refusal);
void rt_event_disarm_all(struct rt_event_set *set);

/* The events of one kind, in a list by their `link`. */
struct list_head *rt_event_of_kind(struct rt_event_set *set, u32 kind);

/* Note for COUNTS which events the kernel no longer delivers. */
void rt_event_look(struct rt_event_set *set);

/*
 * For arm(), before each event: -EINTR if the caller has a signal to handle; arm() then disarms what it
 * has armed so far.  Arming tens of thousands of events takes too long to wait for.
 */
static inline int rt_event_arming_ends(void)
{
	return signal_pending(current) ? -EINTR : 0;
}

/*
 * For arm(), with *REFUSAL filled if there is more to say than the errno: EVENT could not be armed.  0:
 * it stays unarmed and arm() goes on with the others, else ERR.
 */
int rt_event_arming_failed(struct rt_event *event, int err, struct rt_refusal *refusal);

/* Charge memory beyond the counters to the event: 0, or -ENOSPC with *REFUSAL filled. */
int rt_event_charge(struct rt_event *event, u64 bytes, struct rt_refusal *refusal);

/* Release and free all events, which are disarmed. */
void rt_event_free_all(struct rt_event_set *set);

int rt_event_counts(struct rt_event_set *set, struct rt_counts *counts);

#endif
