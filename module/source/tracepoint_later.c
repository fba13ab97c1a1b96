// SPDX-License-Identifier: GPL-2.0
/*
 * tracepoint_later.c - the source for tracepoints of modules that load while the session runs.
 *
 * An event names a pattern.  Whenever a module loads, its tracepoints that match get counters of
 * perf_events, before its init function runs.  The kernel holds a reference to the module for each
 * counter.  Once the program has read the format of the tracepoint, the counters give these references
 * back (rt_counters.lent), and when the module goes, the counters go first.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "counters.h"
#include "event/event.h"
#include "event/place.h"
#include "event/probe_name.h"
#include "event/user_side.h"
#include "kernel/clock.h"
#include "kernel/memory.h"
#include "kernel/tracepoint_module.h"
#include "program/glob.h"
#include "tracepoint_later.h"
#include "tracepoint_perf.h"

struct later {
	struct rt_event *event;
	struct rt_probe_name name;
	struct list_head link;	/* among the armed ones */
	struct list_head found; /* struct found */
	u64 failed;		/* tracepoints that could not be armed */
	u64 uncounted;		/* rt_counters.uncounted of those that are gone */
};

struct found {
	struct list_head link;
	struct module *module;
	struct rt_counters *counters;
	u64 bytes; /* charged */
	u64 since;
	enum { FOUND_NEW, FOUND_TOLD, FOUND_LENT } state;
};

/* Taken inside a session's lock, and by the notifiers of modules. */
static DEFINE_MUTEX(later_lock);
static LIST_HEAD(armed);

/* --- hits ------------------------------------------------------------------------ */

static void later_overflow(struct perf_event *counter, struct perf_sample_data *data,
			   struct pt_regs *regs)
{
	struct rt_counters *counters = counter->overflow_handler_context;
	u32 number = counters->attr.config;

	rt_tracepoint_perf_hit(counters->event, data, regs, &number);
}
NOKPROBE_SYMBOL(later_overflow);

/* --- one tracepoint -------------------------------------------------------------- */

static void found_free(struct found *found)
{
	if (found->counters)
		rt_counters_free(found->counters);
	rt_memory_uncharge(found->bytes);
	kfree(found);
}

static struct found *found_new(struct later *later, struct module *module, u32 number)
{
	struct found *found = kzalloc(sizeof(*found), GFP_KERNEL);
	u64 bytes = sizeof(*found) + rt_counters_bytes(), left;

	if (!found)
		return NULL;
	if (rt_memory_charge(bytes, &left)) {
		kfree(found);
		return NULL;
	}
	found->bytes = bytes;
	found->module = module;
	found->counters = rt_counters_new(later->event, later_overflow);
	if (!found->counters) {
		found_free(found);
		return NULL;
	}
	rt_tracepoint_perf_attr(&found->counters->attr, number);
	return found;
}

static bool is_found(const struct later *later, const struct module *module, u32 number)
{
	const struct found *found;

	list_for_each_entry(found, &later->found, link)
		if (found->module == module && found->counters->attr.config == number)
			return true;
	return false;
}

static void later_take(struct later *later, struct module *module, u32 number)
{
	struct found *found;

	if (is_found(later, module, number))
		return;
	found = found_new(later, module, number);
	if (found)
		found->since = rt_clock_read();
	if (found && !rt_counters_arm_one(found->counters)) {
		list_add_tail(&found->link, &later->found);
		return;
	}
	later->failed++;
	if (found)
		found_free(found);
}

static bool matches(const char *pattern, const char *text)
{
	return rt_glob_match(pattern, strlen(pattern), text, strlen(text));
}

static void later_look(struct later *later, struct module *module)
{
	struct rt_module_tracepoint tracepoint;
	unsigned int i;

	for (i = 0; i < rt_module_tracepoints(module); i++)
		if (rt_module_tracepoint(module, i, &tracepoint) &&
		    matches(later->name.prefix, tracepoint.system) &&
		    matches(later->name.base, tracepoint.name))
			later_take(later, module, tracepoint.number);
}

/* Drop the counters on MODULE; NULL: all.  The caller waits for handlers, then frees GONE. */
static void later_drop(struct later *later, const struct module *module, struct list_head *gone)
{
	struct found *found, *next;

	list_for_each_entry_safe(found, next, &later->found, link) {
		if (module && found->module != module)
			continue;
		rt_counters_disarm_one(found->counters);
		later->uncounted += found->counters->uncounted;
		list_move_tail(&found->link, gone);
		cond_resched();
	}
}

static void free_gone(struct list_head *gone)
{
	struct found *found, *next;

	if (list_empty(gone))
		return;
	/* Handlers run with preemption off; the removal may have interrupted one. */
	synchronize_rcu();
	list_for_each_entry_safe(found, next, gone, link)
		found_free(found);
}

/* --- telling --------------------------------------------------------------------- */

static void found_describe(const struct found *found, struct rt_found *out)
{
	struct rt_module_tracepoint tracepoint;
	unsigned int i;

	out->id = found->counters->event->id;
	out->number = found->counters->attr.config;
	out->since = found->since;
	memset(out->name, 0, sizeof(out->name));
	for (i = 0; i < rt_module_tracepoints(found->module); i++)
		if (rt_module_tracepoint(found->module, i, &tracepoint) &&
		    tracepoint.number == out->number)
			scnprintf(out->name, sizeof(out->name), "%s:%s", tracepoint.system,
				  tracepoint.name);
}

int rt_tracepoint_later_next(struct list_head *events, struct rt_found *out)
{
	struct found *found, *next = NULL;
	struct rt_event *event;
	struct later *later;

	mutex_lock(&later_lock);
	list_for_each_entry(event, events, link) {
		later = event->probe;
		list_for_each_entry(found, &later->found, link) {
			if (found->state == FOUND_TOLD) {
				rt_counters_lend(found->counters, found->module);
				found->state = FOUND_LENT;
			} else if (found->state == FOUND_NEW && !next) {
				next = found;
			}
		}
	}
	if (next) {
		found_describe(next, out);
		next->state = FOUND_TOLD;
	}
	mutex_unlock(&later_lock);
	return next ? 0 : -ENOENT;
}

/* --- modules that come and go ------------------------------------------------------ */

static int on_coming(struct notifier_block *block, unsigned long state, void *data)
{
	struct later *later;

	if (state != MODULE_STATE_COMING)
		return NOTIFY_DONE;
	mutex_lock(&later_lock);
	list_for_each_entry(later, &armed, link)
		later_look(later, data);
	mutex_unlock(&later_lock);
	return NOTIFY_DONE;
}

/* Also if the module's init function has failed: the kernel then frees it whoever refers to it. */
static int on_going(struct notifier_block *block, unsigned long state, void *data)
{
	struct later *later;
	LIST_HEAD(gone);

	if (state != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	mutex_lock(&later_lock);
	list_for_each_entry(later, &armed, link)
		later_drop(later, data, &gone);
	mutex_unlock(&later_lock);
	free_gone(&gone);
	return NOTIFY_DONE;
}

/* After the kernel has made the module's trace events, and before it removes them. */
static struct notifier_block coming = { .notifier_call = on_coming, .priority = -1 };
static struct notifier_block going = { .notifier_call = on_going, .priority = INT_MAX };

int __init rt_tracepoint_later_init(void)
{
	int err = register_module_notifier(&going);

	if (err)
		return err;
	err = register_module_notifier(&coming);
	if (err)
		unregister_module_notifier(&going);
	return err;
}

void rt_tracepoint_later_exit(void)
{
	unregister_module_notifier(&coming);
	unregister_module_notifier(&going);
}

/* --- the source ------------------------------------------------------------------ */

static int later_prepare(struct rt_event *event, const struct rt_event_add *add,
			 struct rt_refusal *refusal)
{
	struct later *later;
	int err;

	if (!rt_module_tracepoints_known()) {
		refusal->reason = RT_REFUSED_KIND;
		refusal->field = offsetof(struct rt_event_add, kind);
		return -EOPNOTSUPP;
	}
	later = kzalloc(sizeof(*later), GFP_KERNEL_ACCOUNT);
	if (!later)
		return -ENOMEM;
	later->event = event;
	INIT_LIST_HEAD(&later->link);
	INIT_LIST_HEAD(&later->found);
	err = rt_probe_name_take(&later->name, add, refusal);
	if (!err && !later->name.prefix) {
		refusal->reason = RT_REFUSED_NAME;
		refusal->field = offsetof(struct rt_event_add, name);
		err = -EINVAL;
	}
	if (err) {
		rt_probe_name_free(&later->name);
		kfree(later);
		return err;
	}
	/* No field is known in advance. */
	event->fetch.fixed = RT_FIELD_BASE;
	event->probe = later;
	event->where = 0;
	return 0;
}

static void later_disarm(struct list_head *events)
{
	struct rt_event *event;
	struct later *later;
	LIST_HEAD(gone);

	mutex_lock(&later_lock);
	list_for_each_entry(event, events, link) {
		later = event->probe;
		list_del_init(&later->link);
		later_drop(later, NULL, &gone);
	}
	mutex_unlock(&later_lock);
	free_gone(&gone);
}

/* Modules that load from here on are seen by on_coming(); take those that are loaded already. */
static int later_arm(struct list_head *events, struct rt_refusal *refusal)
{
	struct rt_module_hold *hold, *holds;
	struct rt_event *event;
	struct later *later;

	mutex_lock(&later_lock);
	list_for_each_entry(event, events, link) {
		later = event->probe;
		list_add_tail(&later->link, &armed);
	}
	mutex_unlock(&later_lock);
	holds = rt_module_hold_all();
	mutex_lock(&later_lock);
	list_for_each_entry(event, events, link)
		for (hold = holds; hold; hold = hold->next)
			later_look(event->probe, hold->module);
	mutex_unlock(&later_lock);
	rt_module_release_all(holds);
	return 0;
}

static void later_missed(struct rt_event *event, u64 *missed)
{
	struct later *later = event->probe;
	struct found *found;

	mutex_lock(&later_lock);
	missed[RT_MISSED_CPUS] = later->failed + later->uncounted;
	list_for_each_entry(found, &later->found, link)
		missed[RT_MISSED_CPUS] += READ_ONCE(found->counters->uncounted);
	mutex_unlock(&later_lock);
}

static void later_release(struct list_head *events)
{
	struct rt_event *event;
	struct later *later;

	later_disarm(events);
	list_for_each_entry(event, events, link) {
		later = event->probe;
		rt_probe_name_free(&later->name);
		kfree(later);
		event->probe = NULL;
	}
}

const struct rt_source rt_tracepoint_later_source = {
	.kind = RT_KIND_TRACEPOINT_LATER,
	.carry = RT_CARRY_STACK | RT_CARRY_USER,
	.contexts = 1U << RT_CONTEXT_PID | 1U << RT_CONTEXT_TID | 1U << RT_CONTEXT_CPU |
		    1U << RT_CONTEXT_PRIO | 1U << RT_CONTEXT_LEVEL,
	.lockdown = RT_LOCKDOWN_TRACEFS | RT_LOCKDOWN_PERF | RT_LOCKDOWN_READ_KMEM,
	.crowd = RT_PLACE_EVENTS_MAX,
	.place = RT_PLACE_TRACEPOINT,
	.own_fields = true,
	.prepare = later_prepare,
	.arm = later_arm,
	.disarm = later_disarm,
	.missed = later_missed,
	.release = later_release,
};
