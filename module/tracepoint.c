// SPDX-License-Identifier: GPL-2.0
/*
 * tracepoint.c - the source tracepoint, for those whose probe was made of the kernel's
 * own header when this module was built (module/native/).
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "event.h"
#include "native.h"
#include "probe_name.h"
#include "tracepoint.h"
#include "user_side.h"

struct probe {
	struct tracepoint *tracepoint;
	const struct rt_native *native;
	struct module *owner; /* held: with the module its tracepoint would go; NULL: the kernel */
	bool armed;
};

struct search {
	const char *name;
	struct tracepoint *found;
};

static void compare(struct tracepoint *tp, void *data)
{
	struct search *search = data;

	if (!strcmp(tp->name, search->name))
		search->found = tp;
}

struct tracepoint *rt_tracepoint_find(const char *name)
{
	struct search search = { .name = name };

	for_each_kernel_tracepoint(compare, &search);
	return search.found;
}

int rt_hooks_register(struct rt_hook *hooks, int count)
{
	int i, err;

	for (i = 0; i < count; i++) {
		hooks[i].tracepoint = rt_tracepoint_find(hooks[i].name);
		err = -ENOENT;
		if (hooks[i].tracepoint)
			err = tracepoint_probe_register(hooks[i].tracepoint, hooks[i].function,
							NULL);
		if (err)
			goto err_unregister;
	}
	return 0;

err_unregister:
	rt_hooks_unregister(hooks, i);
	return err;
}

void rt_hooks_unregister(struct rt_hook *hooks, int count)
{
	int i;

	for (i = 0; i < count; i++)
		tracepoint_probe_unregister(hooks[i].tracepoint, hooks[i].function, NULL);
	tracepoint_synchronize_unregister();
}

static const struct rt_native *find_native(const struct rt_probe_name *name)
{
	const struct rt_native *const *at;

	for (at = rt_natives; *at; at++)
		if (!strcmp((*at)->name, name->base) && !strcmp((*at)->system, name->prefix))
			return *at;
	return NULL;
}

static int resolve(struct probe *probe, const struct rt_event_add *add, struct rt_refusal *refusal)
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

static int prepare(struct rt_event *event, const struct rt_event_add *add,
		   struct rt_refusal *refusal)
{
	struct probe *probe;
	int err;

	probe = kzalloc(sizeof(*probe), GFP_KERNEL_ACCOUNT);
	if (!probe)
		return -ENOMEM;
	err = resolve(probe, add, refusal);
	if (err) {
		free_probe(probe);
		return err;
	}
	refusal->field = 0;
	event->fetch.fixed = RT_FIELD_BASE + probe->native->fixed;
	event->probe = probe;
	return 0;
}

static void disarm(struct list_head *events)
{
	struct rt_event *event;
	struct probe *probe;

	list_for_each_entry(event, events, link) {
		probe = event->probe;
		if (probe->armed)
			tracepoint_probe_unregister(probe->tracepoint, probe->native->probe, event);
		probe->armed = false;
		cond_resched();
	}
	tracepoint_synchronize_unregister();
}

static int arm(struct list_head *events, struct rt_refusal *refusal)
{
	struct rt_event *event;
	struct probe *probe;
	int err;

	list_for_each_entry(event, events, link) {
		probe = event->probe;
		err = tracepoint_probe_register(probe->tracepoint, probe->native->probe, event);
		if (err)
			goto err_disarm;
		probe->armed = true;
		cond_resched();
	}
	return 0;

err_disarm:
	refusal->reason = RT_REFUSED_ARMING;
	refusal->detail = event->id;
	disarm(events);
	return err;
}

static void release(struct list_head *events)
{
	struct rt_event *event;

	disarm(events);
	list_for_each_entry(event, events, link) {
		free_probe(event->probe);
		event->probe = NULL;
	}
}

const struct rt_source rt_tracepoint_source = {
	.kind = RT_KIND_TRACEPOINT,
	.carry = RT_CARRY_STACK | RT_CARRY_USER,
	.contexts = 1U << RT_CONTEXT_PID | 1U << RT_CONTEXT_TID | 1U << RT_CONTEXT_CPU |
		    1U << RT_CONTEXT_PRIO | 1U << RT_CONTEXT_LEVEL,
	.lockdown = RT_LOCKDOWN_TRACEFS | RT_LOCKDOWN_READ_KMEM,
	.own_fields = true,
	.prepare = prepare,
	.arm = arm,
	.disarm = disarm,
	.release = release,
};
