// SPDX-License-Identifier: GPL-2.0
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "entry.h"
#include "event.h"
#include "kprobe.h"
#include "kprobe_arm.h"
#include "session.h"

#define RETRY_MS 10

static int enable(struct rt_kprobe *probe)
{
	int err = 0;

	if (probe->by_entry)
		return 0;
	if (probe->registered)
		err = enable_kprobe(&probe->rp.kp);
	if (!err)
		probe->armed = true;
	return err;
}

void rt_kprobe_disable(struct kprobe *kp)
{
	/* A probe whose module has gone answers -EINVAL: it is as disabled as can be. */
	while (disable_kprobe(kp) == -ENOMEM)
		msleep(RETRY_MS);
}

static void disable(struct rt_kprobe *probe)
{
	if (probe->armed && probe->registered && !probe->by_entry)
		rt_kprobe_disable(&probe->rp.kp);
	probe->armed = false;
	probe->by_entry = false;
}

/* The session's entries, which only kprobes have. */
void rt_kprobe_drop_entries(struct list_head *events)
{
	struct rt_event *event = list_first_entry(events, struct rt_event, link);
	struct rt_session *session = event->session;

	if (rt_kprobe_is_return(event))
		return;
	rt_entries_free(session->entries);
	session->entries = NULL;
}

void rt_kprobe_disarm(struct list_head *events)
{
	struct rt_event *event;

	rt_kprobe_drop_entries(events);
	list_for_each_entry(event, events, link) {
		mutex_lock(&rt_kprobes_lock);
		disable(event->probe);
		mutex_unlock(&rt_kprobes_lock);
		cond_resched();
	}
	/* Handlers run with preemption off. */
	synchronize_rcu();
}

/* A probe whose module has gone is left to the kernel to refuse. */
static bool enterable(const struct rt_kprobe *probe)
{
	return probe->registered && probe->place && !kprobe_gone((struct kprobe *)&probe->rp.kp);
}

/*
 * All that ftrace can deliver, at once.  What it does not take is left to kprobes, but for
 * those that would be as deaf: the kernel has kprobes at these places by ftrace, too, where
 * it can, and then says nothing when ftrace is switched off.
 */
static int arm_entries(struct list_head *events)
{
	struct rt_event *event = list_first_entry(events, struct rt_event, link);
	struct rt_session *session = event->session;
	struct rt_entries *entries;
	struct rt_kprobe *probe;
	u32 count = 0;
	int err;

	list_for_each_entry(event, events, link)
		count += enterable(event->probe);
	if (!count || !rt_entry_wanted())
		return 0;
	entries = rt_entries_new(count);
	if (!entries)
		return 0;
	list_for_each_entry(event, events, link) {
		probe = event->probe;
		probe->by_entry =
			enterable(probe) && rt_entries_add(entries, probe->place, probe->ip, event);
	}
	err = rt_entries_arm(entries);
	if (!err) {
		session->entries = entries;
	} else {
		rt_entries_free(entries);
		list_for_each_entry(event, events, link)
			((struct rt_kprobe *)event->probe)->by_entry = false;
	}
	list_for_each_entry(event, events, link) {
		probe = event->probe;
		probe->armed = probe->by_entry;
	}
	return IS_ENABLED(CONFIG_KPROBES_ON_FTRACE) && err == -EBUSY ? err : 0;
}

int rt_kprobe_arm(struct list_head *events, struct rt_refusal *refusal)
{
	struct rt_event *event;
	int err;

	mutex_lock(&rt_kprobes_lock);
	err = arm_entries(events);
	mutex_unlock(&rt_kprobes_lock);
	if (err) {
		refusal->reason = RT_REFUSED_FTRACE_OFF;
		return err;
	}
	list_for_each_entry(event, events, link) {
		mutex_lock(&rt_kprobes_lock);
		err = enable(event->probe);
		mutex_unlock(&rt_kprobes_lock);
		if (err)
			break;
		cond_resched();
	}
	if (!err)
		return 0;
	refusal->reason = RT_REFUSED_ARMING;
	refusal->detail = event->id;
	rt_kprobe_disarm(events);
	return err;
}
