/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event.h - what a session was asked to record: one struct rt_event each, and the small
 * interface that every source of events serves.
 */
#ifndef RT_EVENT_H
#define RT_EVENT_H

#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <uapi/ringtail.h>

#include "program.h"

struct rt_event;
struct rt_session;

/*
 * A source.  prepare() checks everything and patches nothing; arm() puts the probes in
 * place, disarm() takes them out and returns only when no handler runs any more; both
 * work on all events of a session that have this source, so that the kernel's grace
 * periods are waited for once, and so does release().  Called with the session's lock
 * held, may sleep.
 */
struct rt_source {
	u32 kind;
	u32 carry;	 /* RT_CARRY_* it can serve */
	u32 registers;	 /* that programs may look at */
	u32 contexts;	 /* 1 << RT_CONTEXT_* they may ask for */
	u32 lockdown;	 /* RT_LOCKDOWN_*: any of them forbids it */
	bool own_fields; /* the fields are the kernel's: no fetch program */
	bool sees_agent; /* what the session's own agent does is recorded, too */
	int (*prepare)(struct rt_event *event, const struct rt_event_add *add,
		       struct rt_refusal *refusal);
	int (*arm)(struct list_head *events, struct rt_refusal *refusal);
	void (*disarm)(struct list_head *events);
	void (*missed)(struct rt_event *event, u64 *missed);
	/* Undo prepare(), of events that may still be armed. */
	void (*release)(struct list_head *events);
};

extern const struct rt_source rt_kprobe_source;
extern const struct rt_source rt_kretprobe_source;
extern const struct rt_source rt_tracepoint_source;
extern const struct rt_source rt_pmu_source;
extern const struct rt_source rt_watchpoint_source;
extern const struct rt_source rt_syscall_enter_source;
extern const struct rt_source rt_syscall_exit_source;

/* Written on its own CPU, by nested contexts; read by anybody. */
struct rt_event_count {
	u64 entered;
	u64 written;
	u64 filtered;
	u64 lost[RT_LOST_CAUSES];
};

struct rt_event {
	/* Read at every hit, fixed when the event was added. */
	struct rt_session *session;
	struct rt_event_count __percpu *count;
	u32 id;
	u32 carry;
	u32 stack_max;
	u32 user_bytes;
	u64 user_registers;
	bool filtered;	 /* there is a filter */
	bool choosy;	 /* there is one, or a target: set while it is armed */
	bool sees_agent; /* as its source says */
	struct rt_code fetch;
	struct rt_code filter;

	/* The control path's, under the session's lock. */
	const struct rt_source *source;
	struct list_head link; /* in the session's list for this source */
	struct rt_insn *fetch_slots;
	struct rt_insn *filter_slots;
	void *probe; /* the source's own */
};

/* ADD: the event's id, or a negative errno with *REFUSAL filled. */
int rt_event_add(struct rt_session *session, const struct rt_event_add *add,
		 struct rt_refusal *refusal);

/* All events of the session: in place, or none of them. */
int rt_event_arm_all(struct rt_session *session, struct rt_refusal *refusal);
void rt_event_disarm_all(struct rt_session *session);

/* Disarmed events are freed. */
void rt_event_free_all(struct rt_session *session);

int rt_event_counts(struct rt_session *session, struct rt_counts *counts);

#define RT_SOURCES 7

/* What a session keeps of its events. */
struct rt_event_set {
	struct list_head of_source[RT_SOURCES];
	struct rt_event **by_id;
	u32 count;
	u32 room;
	bool armed;
};

void rt_event_set_init(struct rt_event_set *set);

#endif
