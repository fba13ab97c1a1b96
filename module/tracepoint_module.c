// SPDX-License-Identifier: GPL-2.0
/*
 * tracepoint_module.c - tracepoints of loadable modules.
 *
 * Who registers as a listener is first told of every module with tracepoints that is already
 * there, under the lock that keeps them there: that is our list.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "tracepoint.h"

#ifdef CONFIG_EVENT_TRACING

struct search {
	struct notifier_block block;
	const char *system, *name;
	struct tracepoint *found;
	struct module *owner;
};

/*
 * By system and name: a tracepoint that is private to a module may be called like another one
 * and pass other things.  What comes from outside the kernel's tree may do so in any case.
 */
static struct tracepoint *find_in(const struct module *module, const struct search *search)
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

static int look(struct notifier_block *block, unsigned long state, void *data)
{
	struct search *search = container_of(block, struct search, block);
	struct tp_module *entry = data;
	struct tracepoint *tracepoint;

	if (state != MODULE_STATE_COMING || search->found)
		return NOTIFY_DONE;
	tracepoint = find_in(entry->mod, search);
	if (tracepoint && try_module_get(entry->mod)) {
		search->found = tracepoint;
		search->owner = entry->mod;
	}
	return NOTIFY_DONE;
}

struct tracepoint *rt_tracepoint_find_in_modules(const char *system, const char *name,
						 struct module **owner)
{
	struct search search = { .block.notifier_call = look, .system = system, .name = name };

	if (register_tracepoint_module_notifier(&search.block))
		return NULL;
	unregister_tracepoint_module_notifier(&search.block);
	*owner = search.owner;
	return search.found;
}

#else

struct tracepoint *rt_tracepoint_find_in_modules(const char *system, const char *name,
						 struct module **owner)
{
	return NULL;
}

#endif
