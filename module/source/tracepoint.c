// SPDX-License-Identifier: GPL-2.0
/*
 * tracepoint.c - the source tracepoint, for the tracepoints whose probe was generated from the
 * kernel's own header when this module was built (module/native/).
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "compat/tracepoint_find.h"
#include "event/event.h"
#include "event/place.h"
#include "event/probe_name.h"
#include "event/user_side.h"
#include "kernel/hook.h"
#include "kernel/tracepoint_module.h"
#include "native.h"
#include "tracepoint.h"

struct probe {
	struct tracepoint *tracepoint;
	const struct rt_native *native;
	struct module *owner; /* referenced, so that the tracepoint stays; NULL: the kernel */
	bool armed;
};

static const struct rt_native *find_native(const struct rt_probe_name *name)
{
	const struct rt_native *const *at;

	for (at = rt_natives; *at; at++)
		if (!strcmp((*at)->name, name->base) && !strcmp((*at)->system, name->prefix))
			return *at;
	return NULL;
}

static int tracepoint_resolve(struct probe *probe, const struct rt_event_add *add,
			      struct rt_refusal *refusal)
{
	struct rt_probe_name name;
	int err;

	refusal->field = offsetof(struct rt_event_add, name);
	err = rt_probe_name_take(&name, add, refusal);
	if (err)
		return err;
	if (!name.prefix) {
		refusal->reason = RT_REFUSED_NAME;
		err = -EINVAL;
		goto out;
	}
	probe->tracepoint = rt_tracepoint_find_in_modules(name.prefix, name.base, &probe->owner);
	if (!probe->tracepoint)
		probe->tracepoint = rt_tracepoint_find(name.base);
	probe->native = find_native(&name);
	if (!probe->tracepoint) {
		refusal->reason = RT_REFUSED_NO_TRACEPOINT;
		err = -ENOENT;
	} else if (!probe->native) {
		refusal->reason = RT_REFUSED_NOT_NATIVE;
		err = -EOPNOTSUPP;
	}
out:
	rt_probe_name_free(&name);
	return err;
}

static void free_probe(struct probe *probe)
{
	if (!probe)
		return;
	module_put(probe->owner);
	kfree(probe);
}

static int tracepoint_prepare(struct rt_event *event, const struct rt_event_add *add,
			      struct rt_refusal *refusal)
{
	struct probe *probe;
	int err;

	probe = kzalloc(sizeof(*probe), GFP_KERNEL_ACCOUNT);
	if (!probe)
		return -ENOMEM;
	err = tracepoint_resolve(probe, add, refusal);
	if (err) {
		free_probe(probe);
		return err;
	}
	refusal->field = 0;
	event->fetch.fixed = RT_FIELD_BASE + probe->native->fixed;
	event->probe = probe;
	event->where = (unsigned long)probe->tracepoint;
	return 0;
}

/* What the tracepoint calls; the same from arming to disarming. */
static void *handler_of(const struct rt_event *event)
{
	const struct probe *probe = event->probe;

	return event->careful ? probe->native->careful : probe->native->fast;
}

static void tracepoint_disarm(struct list_head *events)
{
	struct rt_event *event;
	struct probe *probe;

	list_for_each_entry(event, events, link) {
		probe = event->probe;
		if (probe->armed)
			tracepoint_probe_unregister(probe->tracepoint, handler_of(event), event);
		probe->armed = false;
		cond_resched();
	}
	tracepoint_synchronize_unregister();
}

static int tracepoint_arm(struct list_head *events, struct rt_refusal *refusal)
{
	struct rt_event *event;
	struct probe *probe;
	int err;

	list_for_each_entry(event, events, link) {
		probe = event->probe;
		err = rt_event_arming_ends();
		if (err)
			goto err_disarm;
		err = tracepoint_probe_register(probe->tracepoint, handler_of(event), event);
		probe->armed = !err;
		if (err)
			err = rt_event_arming_failed(event, err, refusal);
		if (err)
			goto err_disarm;
		cond_resched();
	}
	return 0;

err_disarm:
	tracepoint_disarm(events);
	return err;
}

static void tracepoint_release(struct list_head *events)
{
	struct rt_event *event;

	tracepoint_disarm(events);
	list_for_each_entry(event, events, link) {
		free_probe(event->probe);
		event->probe = NULL;
	}
}

static u64 tracepoint_works(void)
{
	if (!IS_ENABLED(CONFIG_TRACEPOINTS))
		return 0;
	return RT_SOURCE_TRACEPOINT |
	       (RT_COMPAT_TRACEPOINT_LISTENERS ? RT_SOURCE_TRACEPOINT_MODULE : 0);
}

const struct rt_source rt_tracepoint_source = {
	.kind = RT_KIND_TRACEPOINT,
	.carry = RT_CARRY_STACK | RT_CARRY_USER,
	.contexts = 1U << RT_CONTEXT_PID | 1U << RT_CONTEXT_TID | 1U << RT_CONTEXT_CPU |
		    1U << RT_CONTEXT_PRIO | 1U << RT_CONTEXT_LEVEL,
	.lockdown = RT_LOCKDOWN_TRACEFS | RT_LOCKDOWN_READ_KMEM,
	.crowd = RT_PLACE_EVENTS_MAX,
	.place = RT_PLACE_TRACEPOINT,
	.own_fields = true,
	.works = tracepoint_works,
	.prepare = tracepoint_prepare,
	.arm = tracepoint_arm,
	.disarm = tracepoint_disarm,
	.release = tracepoint_release,
};
