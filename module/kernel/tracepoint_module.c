// SPDX-License-Identifier: GPL-2.0
/*
 * tracepoint_module.c - tracepoints of loadable modules.
 *
 * When a listener registers, the kernel first calls it for every loaded module that has
 * tracepoints, and holds the lock that keeps these modules loaded: so it gives us the list.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "compat/tracepoint_find.h"
#include "tracepoint_module.h"

#if defined(CONFIG_EVENT_TRACING) && RT_COMPAT_TRACEPOINT_LISTENERS

struct search {
	struct notifier_block block;
	const char *system, *name;
	struct tracepoint *found;
	struct module *owner;
};

/*
 * Compare system and name: a private tracepoint of a module may have the name of another one and
 * pass other arguments.  Out-of-tree modules may reuse both, so ignore them.
 */
static struct tracepoint *tracepoint_find_in(const struct module *module,
					     const struct search *search)
{
	const struct trace_event_call *call;
	unsigned int i;

	if (module->taints & (1UL << TAINT_OOT_MODULE | 1UL << TAINT_PROPRIETARY_MODULE))
		return NULL;
	for (i = 0; i < module->num_trace_events; i++) {
		call = module->trace_events[i];
		if (call->flags & TRACE_EVENT_FL_TRACEPOINT && call->class->system &&
		    !strcmp(call->tp->name, search->name) &&
		    !strcmp(call->class->system, search->system))
			return call->tp;
	}
	return NULL;
}

static int tracepoint_look(struct notifier_block *block, unsigned long state, void *data)
{
	struct search *search = container_of(block, struct search, block);
	struct tp_module *entry = data;
	struct tracepoint *tracepoint;

	if (state != MODULE_STATE_COMING || search->found)
		return NOTIFY_DONE;
	tracepoint = tracepoint_find_in(entry->mod, search);
	if (tracepoint && try_module_get(entry->mod)) {
		search->found = tracepoint;
		search->owner = entry->mod;
	}
	return NOTIFY_DONE;
}

struct tracepoint *rt_tracepoint_find_in_modules(const char *system, const char *name,
						 struct module **owner)
{
	struct search search = { .block.notifier_call = tracepoint_look,
				 .system = system,
				 .name = name };

	if (register_tracepoint_module_notifier(&search.block))
		return NULL;
	unregister_tracepoint_module_notifier(&search.block);
	*owner = search.owner;
	return search.found;
}

bool rt_module_tracepoints_known(void)
{
	return true;
}

unsigned int rt_module_tracepoints(const struct module *module)
{
	return module->num_trace_events;
}

bool rt_module_tracepoint(const struct module *module, unsigned int i,
			  struct rt_module_tracepoint *out)
{
	const struct trace_event_call *call = module->trace_events[i];

	if (!(call->flags & TRACE_EVENT_FL_TRACEPOINT) || !call->class->system || !call->event.type)
		return false;
	out->system = call->class->system;
	out->name = call->tp->name;
	out->number = call->event.type;
	return true;
}

struct collection {
	struct notifier_block block;
	struct rt_module_hold *first;
};

static int module_hold(struct notifier_block *block, unsigned long state, void *data)
{
	struct collection *collection = container_of(block, struct collection, block);
	struct tp_module *entry = data;
	struct rt_module_hold *hold;

	if (state != MODULE_STATE_COMING)
		return NOTIFY_DONE;
	hold = kmalloc(sizeof(*hold), GFP_KERNEL);
	if (!hold || !try_module_get(entry->mod)) {
		kfree(hold);
		return NOTIFY_DONE;
	}
	hold->module = entry->mod;
	hold->next = collection->first;
	collection->first = hold;
	return NOTIFY_DONE;
}

struct rt_module_hold *rt_module_hold_all(void)
{
	struct collection collection = { .block.notifier_call = module_hold };

	if (!register_tracepoint_module_notifier(&collection.block))
		unregister_tracepoint_module_notifier(&collection.block);
	return collection.first;
}

#else

bool rt_module_tracepoints_known(void)
{
	return false;
}

unsigned int rt_module_tracepoints(const struct module *module)
{
	return 0;
}

bool rt_module_tracepoint(const struct module *module, unsigned int i,
			  struct rt_module_tracepoint *out)
{
	return false;
}

struct rt_module_hold *rt_module_hold_all(void)
{
	return NULL;
}

struct tracepoint *rt_tracepoint_find_in_modules(const char *system, const char *name,
						 struct module **owner)
{
	return NULL;
}

#endif

void rt_module_release_all(struct rt_module_hold *holds)
{
	struct rt_module_hold *next;

	for (; holds; holds = next) {
		next = holds->next;
		module_put(holds->module);
		kfree(holds);
	}
}
