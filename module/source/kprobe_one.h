/* SPDX-License-Identifier: GPL-2.0 */
/* kprobe_one.h - one kprobe or kretprobe of an event. */
#ifndef RT_KPROBE_ONE_H
#define RT_KPROBE_ONE_H

#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "event/event.h"
#include "event/probe_name.h"

struct rt_kprobe {
	struct kretprobe rp; /* a kprobe uses only its kp */
	struct rt_event *event;
	u64 ip;
	bool entry;	     /* at the first instruction of a function */
	bool linked;	     /* no frame has the caller there: see rt_stack_walk() */
	unsigned long place; /* address of ftrace's call in the function; 0: none */
	struct rt_probe_name name;
	u64 address;
	u32 instances; /* kretprobe: counted in the sum of all */
	/* For all kprobes of the session while they are armed; kept by the first one. */
	struct rt_entries *entries;

	/* Under rt_kprobes_lock. */
	struct list_head waiting; /* among the probes that name a module */
	bool registered;
	bool deferred; /* registered only if ftrace cannot serve it */
	bool armed;
	bool by_entry; /* armed through ftrace */
	bool silenced; /* kprobes were found switched off while it was armed */
	u64 missed;    /* before its module was last unloaded */
	u64 missed_instances;
};

/* Taken inside a session's lock, and by the module notifier, which holds no session's lock. */
extern struct mutex rt_kprobes_lock;

/* Bytes of argument registers that a kretprobe keeps from the entry. */
static inline u32 rt_kprobe_saved(const struct rt_event *event)
{
	return event->saved * sizeof(u64);
}

static inline bool rt_kprobe_is_return(const struct rt_event *event)
{
	return event->source->kind == RT_KIND_KRETPROBE;
}

#endif
