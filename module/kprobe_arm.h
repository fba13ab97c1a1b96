/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kprobe_arm.h - one kprobe or kretprobe of an event, and how those of a session are put in
 * place and taken out: by enabling them, or through ftrace (entry.h).
 */
#ifndef RT_KPROBE_ARM_H
#define RT_KPROBE_ARM_H

#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "event.h"
#include "probe_name.h"

struct rt_kprobe {
	struct kretprobe rp; /* a kprobe uses only its kp */
	struct rt_event *event;
	u64 ip;
	bool entry;	     /* of a function */
	unsigned long place; /* of ftrace's call in it; 0: none */
	struct rt_probe_name name;
	u64 address;

	/* Under rt_kprobes_lock. */
	struct list_head waiting; /* among the probes that name a module */
	bool registered;
	bool armed;
	bool by_entry; /* armed through ftrace */
	u64 missed;    /* of earlier lives of this probe */
	u64 missed_instances;
};

/* Taken inside a session's lock, and by the module notifier, which holds none. */
extern struct mutex rt_kprobes_lock;

static inline bool rt_kprobe_is_return(const struct rt_event *event)
{
	return event->source == &rt_kretprobe_source;
}

/* Of struct rt_source. */
int rt_kprobe_arm(struct list_head *events, struct rt_refusal *refusal);
void rt_kprobe_disarm(struct list_head *events);

/* What is armed through ftrace is so no more. */
void rt_kprobe_drop_entries(struct list_head *events);

#endif
