// SPDX-License-Identifier: GPL-2.0
/*
 * kprobe.c - the sources kprobe and kretprobe.
 *
 * When an event is added, its probe is registered but disabled: the kernel checks everything and
 * patches nothing (rt_kprobe_defer() is the exception).  Arming only enables the probe.  A probe in a
 * module that is not loaded waits for the module.  When the module is unloaded, the kernel kills the
 * probe, and it waits again.
 *
 * At a function entry, hits of an armed event may come through ftrace instead, see entry.h; the kprobe
 * then stays disabled.
 */
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "compat/kprobe_relative.h"
#include "entry.h"
#include "event/event.h"
#include "event/place.h"
#include "kprobe.h"
#include "kprobe_arm.h"
#include "kprobe_batch.h"
#include "kprobe_forbidden.h"
#include "kprobe_hit.h"
#include "kprobe_instances.h"
#include "kprobe_one.h"
#include "kprobe_register.h"
#include "event/probe_name.h"
#include "event/user_side.h"

DEFINE_MUTEX(rt_kprobes_lock);
static LIST_HEAD(module_probes);

/* --- adding ---------------------------------------------------------------------- */

static void remember_missed(struct rt_kprobe *probe)
{
	probe->missed += probe->rp.kp.nmissed;
	probe->missed_instances += rt_kprobe_is_return(probe->event) ? probe->rp.nmissed : 0;
}

static int kprobe_refuse(int err, const struct rt_kprobe *probe, struct rt_refusal *refusal)
{
	refusal->field = probe->name.text ? offsetof(struct rt_event_add, name) :
					    offsetof(struct rt_event_add, probe.address);
	switch (err) {
	case -ENOENT:
		refusal->reason = RT_REFUSED_NO_SYMBOL;
		break;
	case -EILSEQ:
		refusal->reason = RT_REFUSED_BOUNDARY;
		break;
	case -EINVAL:
		refusal->reason = RT_REFUSED_NOT_PROBEABLE;
		break;
	}
	return err;
}

static int kprobe_check(const struct rt_event_add *add, struct rt_refusal *refusal)
{
	if (add->probe.instances > RT_INSTANCES_MAX) {
		refusal->reason = RT_REFUSED_TOO_MANY;
		refusal->field = offsetof(struct rt_event_add, probe.instances);
		refusal->detail = RT_INSTANCES_MAX;
		return -EINVAL;
	}
	/* Only return probes keep arguments; a place is given by name and offset, or by its address. */
	if (add->probe.saved > (add->kind == RT_KIND_KRETPROBE ? RT_PORT_SAVED : 0) ||
	    (add->name ? add->probe.address : add->probe.offset)) {
		refusal->reason = RT_REFUSED_FLAGS;
		refusal->field = offsetof(struct rt_event_add, probe);
		return -EINVAL;
	}
	return 0;
}

static int kprobe_prepare(struct rt_event *event, const struct rt_event_add *add,
			  struct rt_refusal *refusal)
{
	struct rt_kprobe *probe;
	int err;

	err = kprobe_check(add, refusal);
	if (err)
		return err;
	probe = kzalloc(sizeof(*probe), GFP_KERNEL_ACCOUNT);
	if (!probe)
		return -ENOMEM;
	probe->event = event;
	event->saved = add->probe.saved;
	probe->address = add->name ? add->probe.offset : add->probe.address;
	probe->rp.maxactive = add->probe.instances;
	INIT_LIST_HEAD(&probe->waiting);
	err = rt_probe_name_take(&probe->name, add, refusal);
	if (!err && rt_kprobe_is_return(event))
		err = rt_kprobe_take_instances(probe, refusal);
	if (err)
		goto err_free;

	err = mutex_lock_killable(&rt_kprobes_lock);
	if (err)
		goto err_free;
	err = rt_kprobe_defer(probe) ? 0 : rt_kprobe_register(probe);
	if (err == -ENOENT && probe->name.prefix) {
		/* Its module may be loaded later. */
		refusal->reason = RT_REFUSED_NO_MODULE;
		err = 0;
	}
	if (!err && probe->name.prefix)
		list_add_tail(&probe->waiting, &module_probes);
	mutex_unlock(&rt_kprobes_lock);
	if (err) {
		kprobe_refuse(err, probe, refusal);
		goto err_free;
	}
	event->probe = probe;
	event->where =
		probe->ip ?: jhash(probe->name.text, strlen(probe->name.text), 0) + probe->address;
	return 0;

err_free:
	rt_kprobe_give_instances(probe);
	rt_probe_name_free(&probe->name);
	kfree(probe);
	return err;
}

/* --- releasing, many at once ----------------------------------------------------- */

/*
 * From here on the module notifier does not touch the probe.  True: the kernel knows it, and the caller unregisters it,
 * without the lock: many of them take long.
 */
static bool leave_alone(struct rt_kprobe *probe)
{
	bool registered;

	mutex_lock(&rt_kprobes_lock);
	list_del_init(&probe->waiting);
	registered = probe->registered;
	probe->registered = false;
	mutex_unlock(&rt_kprobes_lock);
	return registered;
}

static void kprobe_release(struct list_head *events)
{
	struct rt_kprobe_batch *batch = rt_kprobe_batch_new();
	struct rt_event *event;
	struct rt_kprobe *probe;

	rt_kprobe_drop_entries(events);
	list_for_each_entry(event, events, link) {
		probe = event->probe;
		if (!leave_alone(probe))
			continue;
		if (rt_kprobe_is_return(event))
			rt_kretprobe_batch_put(batch, &probe->rp);
		else
			rt_kprobe_batch_put(batch, &probe->rp.kp);
	}
	rt_kprobe_batch_end(batch);

	list_for_each_entry(event, events, link) {
		probe = event->probe;
		rt_kprobe_give_instances(probe);
		rt_probe_name_free(&probe->name);
		kfree(probe);
		event->probe = NULL;
		cond_resched();
	}
}

static void kprobe_missed(struct rt_event *event, u64 *missed)
{
	struct rt_kprobe *probe = event->probe;

	mutex_lock(&rt_kprobes_lock);
	missed[RT_MISSED_PROBE] = probe->missed + (probe->registered ? probe->rp.kp.nmissed : 0);
	missed[RT_MISSED_INSTANCES] = probe->missed_instances;
	missed[RT_MISSED_SILENCED] = probe->silenced;
	if (rt_kprobe_is_return(event) && probe->registered)
		missed[RT_MISSED_INSTANCES] += probe->rp.nmissed;
	mutex_unlock(&rt_kprobes_lock);
}

/* --- loading and unloading modules ---------------------------------------------------- */

static void module_came(struct rt_kprobe *probe)
{
	if (!probe->registered && !rt_kprobe_register(probe) && probe->armed)
		enable_kprobe(&probe->rp.kp);
}

static void module_went(struct rt_kprobe *probe)
{
	if (!probe->registered)
		return;
	remember_missed(probe);
	/* When the module is loaded again, a kprobe serves the event. */
	probe->by_entry = false;
	if (rt_kprobe_is_return(probe->event))
		unregister_kretprobe(&probe->rp);
	else
		unregister_kprobe(&probe->rp.kp);
	probe->registered = false;
}

static int kprobe_module_changed(struct notifier_block *block, unsigned long state, void *data)
{
	struct module *module = data;
	struct rt_kprobe *probe;

	mutex_lock(&rt_kprobes_lock);
	/* Under the lock: entries armed before are known here, and later arming finds the probes gone. */
	if (state == MODULE_STATE_LIVE || state == MODULE_STATE_GOING)
		rt_entries_forget(module, state == MODULE_STATE_LIVE);
	list_for_each_entry(probe, &module_probes, waiting) {
		if (strcmp(probe->name.prefix, module->name))
			continue;
		if (state == MODULE_STATE_COMING)
			module_came(probe);
		else if (state == MODULE_STATE_GOING)
			module_went(probe);
	}
	mutex_unlock(&rt_kprobes_lock);
	return NOTIFY_DONE;
}

/* Runs after the kernel's own notifier, which kills the probes of a module that is unloaded. */
static struct notifier_block module_notifier = {
	.notifier_call = kprobe_module_changed,
	.priority = -1,
};

static bool relative_works;

int __init rt_kprobe_init(void)
{
	int err;

	relative_works = rt_compat_kprobe_relative_works();
	rt_entry_init();
	rt_entry_place_init();
	rt_kprobe_forbidden_init();
	rt_kprobe_hit_init();
	err = register_module_notifier(&module_notifier);
	if (err)
		rt_kprobe_forbidden_exit();
	return err;
}

void rt_kprobe_exit(void)
{
	unregister_module_notifier(&module_notifier);
	rt_entry_exit();
	rt_kprobe_forbidden_exit();
}

static u64 kprobe_works(void)
{
	return RT_SOURCE_KPROBE | (rt_entry_wanted() ? RT_SOURCE_ENTRY : 0) |
	       (relative_works ? RT_SOURCE_KPROBE_RELATIVE : 0);
}

static u64 kretprobe_works(void)
{
	return IS_ENABLED(CONFIG_KRETPROBES) ? RT_SOURCE_KRETPROBE : 0;
}

#define CONTEXTS                                                                \
	(1U << RT_CONTEXT_PID | 1U << RT_CONTEXT_TID | 1U << RT_CONTEXT_CPU |   \
	 1U << RT_CONTEXT_PRIO | 1U << RT_CONTEXT_LEVEL | 1U << RT_CONTEXT_IP | \
	 1U << RT_CONTEXT_CALLER)

const struct rt_source rt_kprobe_source = {
	.kind = RT_KIND_KPROBE,
	.carry = RT_CARRY_STACK | RT_CARRY_REGISTERS | RT_CARRY_USER,
	.registers = RT_PORT_REGISTERS,
	.contexts = CONTEXTS,
	.lockdown = RT_LOCKDOWN_KPROBES | RT_LOCKDOWN_READ_KMEM,
	.crowd = RT_PLACE_EVENTS_MAX,
	.place = RT_PLACE_CODE,
	.argument = sizeof(struct rt_probe),
	.works = kprobe_works,
	.prepare = kprobe_prepare,
	.arm = rt_kprobe_arm,
	.disarm = rt_kprobe_disarm,
	.look = rt_kprobe_look,
	.missed = kprobe_missed,
	.release = kprobe_release,
};

const struct rt_source rt_kretprobe_source = {
	.kind = RT_KIND_KRETPROBE,
	.carry = RT_CARRY_STACK | RT_CARRY_REGISTERS | RT_CARRY_USER,
	.registers = RT_PORT_REGISTERS,
	.contexts = CONTEXTS,
	.lockdown = RT_LOCKDOWN_KPROBES | RT_LOCKDOWN_READ_KMEM,
	.crowd = RT_PLACE_EVENTS_MAX,
	.place = RT_PLACE_CODE,
	.argument = sizeof(struct rt_probe),
	.works = kretprobe_works,
	.prepare = kprobe_prepare,
	.arm = rt_kprobe_arm,
	.disarm = rt_kprobe_disarm,
	.look = rt_kprobe_look,
	.missed = kprobe_missed,
	.release = kprobe_release,
};
