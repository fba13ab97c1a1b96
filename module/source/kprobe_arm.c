// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "kernel/canary.h"
#include "entry.h"
#include "event/event.h"
#include "kernel/hook.h"
#include "kprobe_arm.h"
#include "kprobe_one.h"
#include "kprobe_register.h"
#include "watch/watch_probed.h"

static int probe_enable(struct rt_kprobe *probe)
{
	int err = 0;

	if (probe->by_entry)
		return 0;
	if (probe->deferred && !probe->registered)
		err = rt_kprobe_register(probe);
	if (!err && probe->registered)
		err = enable_kprobe(&probe->rp.kp);
	if (!err)
		probe->armed = true;
	return err;
}

static void probe_disable(struct rt_kprobe *probe)
{
	if (probe->armed && probe->registered && !probe->by_entry)
		rt_kprobe_disable(&probe->rp.kp);
	probe->armed = false;
	probe->by_entry = false;
}

void rt_kprobe_drop_entries(struct list_head *events)
{
	struct rt_kprobe *first = list_first_entry(events, struct rt_event, link)->probe;

	rt_entries_free(first->entries);
	first->entries = NULL;
}

void rt_kprobe_disarm(struct list_head *events)
{
	struct rt_event *event;

	rt_kprobe_drop_entries(events);
	rt_watch_probed_forget();
	list_for_each_entry(event, events, link) {
		mutex_lock(&rt_kprobes_lock);
		probe_disable(event->probe);
		mutex_unlock(&rt_kprobes_lock);
		cond_resched();
	}
	/* Handlers run with preemption off. */
	synchronize_rcu();
	rt_watch_probed_forget();
}

static bool probe_enterable(const struct rt_kprobe *probe)
{
	if (!probe->place || !rt_entry_serves(probe->event))
		return false;
	/* If its module was unloaded, leave the probe to the kernel, which refuses to enable it. */
	return probe->registered ? !kprobe_gone((struct kprobe *)&probe->rp.kp) : probe->deferred;
}

/*
 * Arm all events that ftrace can deliver, at once.  Kprobes serve the others.  But if ftrace is
 * switched off and the kernel would use ftrace for kprobes at these places too, the kprobes would be
 * accepted and never delivered: then refuse.
 */
static int arm_entries(struct list_head *events)
{
	struct rt_kprobe *first = list_first_entry(events, struct rt_event, link)->probe;
	struct rt_entries *entries;
	struct rt_event *event;
	struct rt_kprobe *probe;
	u32 count = 0;
	int err;

	list_for_each_entry(event, events, link)
		count += probe_enterable(event->probe);
	cond_resched();
	if (!count || !rt_entry_wanted())
		return 0;
	entries = rt_entries_new(count, rt_kprobe_is_return(first->event));
	if (!entries)
		return 0;
	list_for_each_entry(event, events, link) {
		probe = event->probe;
		probe->by_entry = probe_enterable(probe) &&
				  rt_entries_add(entries, probe->place, probe->ip, event);
		cond_resched();
	}
	err = rt_entries_arm(entries);
	if (!err) {
		first->entries = entries;
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

/* Whether any of these events depends on a kprobe, which can be switched off. */
static bool any_by_kprobe(struct list_head *events)
{
	struct rt_event *event;

	list_for_each_entry(event, events, link)
		if (!((struct rt_kprobe *)event->probe)->by_entry)
			return true;
	return false;
}

void rt_kprobe_look(struct list_head *events)
{
	struct rt_event *event;
	struct rt_kprobe *probe;

	if (rt_canary_heard())
		return;
	mutex_lock(&rt_kprobes_lock);
	list_for_each_entry(event, events, link) {
		probe = event->probe;
		probe->silenced |= probe->armed && !probe->by_entry;
	}
	mutex_unlock(&rt_kprobes_lock);
}

int rt_kprobe_arm(struct list_head *events, struct rt_refusal *refusal)
{
	struct rt_event *event;
	int err;

	if (mutex_lock_killable(&rt_kprobes_lock))
		return -EINTR;
	err = arm_entries(events);
	mutex_unlock(&rt_kprobes_lock);
	if (err) {
		refusal->reason = RT_REFUSED_FTRACE_OFF;
		return err;
	}
	list_for_each_entry(event, events, link) {
		err = rt_event_arming_ends();
		if (!err && mutex_lock_killable(&rt_kprobes_lock))
			err = -EINTR;
		if (err)
			break;
		err = probe_enable(event->probe);
		mutex_unlock(&rt_kprobes_lock);
		if (err)
			err = rt_event_arming_failed(event, err, refusal);
		if (err)
			break;
		cond_resched();
	}
	if (!err && any_by_kprobe(events) && !rt_canary_heard()) {
		refusal->reason = RT_REFUSED_KPROBES_OFF;
		err = -EBUSY;
	}
	if (err)
		rt_kprobe_disarm(events);
	return err;
}
