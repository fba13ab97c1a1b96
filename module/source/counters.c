// SPDX-License-Identifier: GPL-2.0
#include "counters.h"

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "compat/cpuhotplug.h"
#include "event/channel.h"
#include "event/event.h"

/*
 * Taken inside a session's lock.  The kernel may take its hotplug lock when it creates a counter, so
 * the hotplug callback must not take this lock: a worker serves CPUs that come online.
 */
static DEFINE_MUTEX(counters_lock);
static LIST_HEAD(armed);

struct rt_counters *rt_counters_new(struct rt_event *event, perf_overflow_handler_t handler)
{
	struct rt_counters *counters = kzalloc(sizeof(*counters), GFP_KERNEL_ACCOUNT);

	if (!counters)
		return NULL;
	counters->event = event;
	counters->handler = handler;
	counters->attr.size = sizeof(counters->attr);
	INIT_LIST_HEAD(&counters->link);
	counters->on = kvcalloc(nr_cpu_ids, sizeof(*counters->on), GFP_KERNEL_ACCOUNT);
	counters->pauses = alloc_percpu_gfp(local_t, GFP_KERNEL_ACCOUNT);
	if (counters->on && counters->pauses)
		return counters;
	rt_counters_free(counters);
	return NULL;
}

void rt_counters_free(struct rt_counters *counters)
{
	free_percpu(counters->pauses);
	kvfree(counters->on);
	kfree(counters);
}

/* --- arming ---------------------------------------------------------------------- */

/*
 * Create a counter on every online target CPU that has none.  With FAILED not NULL, count the CPUs on
 * which that fails and continue with the others.
 */
static int counters_fill(struct rt_counters *counters, u64 *failed)
{
	const struct rt_targets *targets = &counters->event->channel->targets;
	struct perf_event *counter;
	int cpu, made = 0, err = -ENODEV;

	for_each_online_cpu(cpu) {
		if (targets->by_cpu && !cpumask_test_cpu(cpu, &targets->cpus))
			continue;
		if (!counters->on[cpu]) {
			counter = perf_event_create_kernel_counter(&counters->attr, cpu, NULL,
								   counters->handler, counters);
			if (IS_ERR(counter)) {
				err = PTR_ERR(counter);
				/* The CPU lacks this counter, or is going offline. */
				if (err == -ENOENT || err == -ENODEV)
					continue;
				if (!failed)
					return err;
				++*failed;
				continue;
			}
			counters->on[cpu] = counter;
			module_put(counters->lent);
		}
		made++;
	}
	return made ? 0 : err;
}

static void counters_drop(struct rt_counters *counters, int cpu)
{
	if (!counters->on[cpu])
		return;
	/* The kernel puts a reference for each counter: see counters.h. */
	__module_get(counters->lent);
	perf_event_release_kernel(counters->on[cpu]);
	counters->on[cpu] = NULL;
}

static void counters_drop_all(struct rt_counters *counters)
{
	int cpu;

	list_del_init(&counters->link);
	for_each_possible_cpu(cpu)
		counters_drop(counters, cpu);
}

int rt_counters_arm_one(struct rt_counters *counters)
{
	int err;

	mutex_lock(&counters_lock);
	list_add_tail(&counters->link, &armed);
	err = counters_fill(counters, NULL);
	if (err)
		counters_drop_all(counters);
	mutex_unlock(&counters_lock);
	return err;
}

void rt_counters_disarm_one(struct rt_counters *counters)
{
	mutex_lock(&counters_lock);
	counters_drop_all(counters);
	mutex_unlock(&counters_lock);
}

void rt_counters_lend(struct rt_counters *counters, struct module *module)
{
	int cpu;

	mutex_lock(&counters_lock);
	counters->lent = module;
	for_each_possible_cpu(cpu)
		if (counters->on[cpu])
			module_put(module);
	mutex_unlock(&counters_lock);
}

void rt_counters_disarm(struct list_head *events)
{
	struct rt_event *event;

	mutex_lock(&counters_lock);
	list_for_each_entry(event, events, link) {
		counters_drop_all(event->probe);
		cond_resched();
	}
	mutex_unlock(&counters_lock);
	/* Handlers run with preemption off; the removal may have interrupted one. */
	synchronize_rcu();
}

int rt_counters_arm(struct list_head *events, struct rt_refusal *refusal)
{
	struct rt_event *event;
	struct rt_counters *counters;
	int err = 0;

	mutex_lock(&counters_lock);
	list_for_each_entry(event, events, link) {
		counters = event->probe;
		err = rt_event_arming_ends();
		if (err)
			break;
		list_add_tail(&counters->link, &armed);
		err = counters_fill(counters, NULL);
		if (err) {
			counters_drop_all(counters);
			err = rt_event_arming_failed(event, err, refusal);
		}
		if (err)
			break;
		cond_resched();
	}
	mutex_unlock(&counters_lock);
	if (err)
		rt_counters_disarm(events);
	return err;
}

void rt_counters_release(struct list_head *events)
{
	struct rt_event *event;

	rt_counters_disarm(events);
	list_for_each_entry(event, events, link) {
		rt_counters_free(event->probe);
		event->probe = NULL;
	}
}

void rt_counters_missed(struct rt_event *event, u64 *missed)
{
	struct rt_counters *counters = event->probe;
	int cpu;

	for_each_possible_cpu(cpu)
		missed[RT_MISSED_THROTTLED] += local_read(per_cpu_ptr(counters->pauses, cpu));
	missed[RT_MISSED_CPUS] = READ_ONCE(counters->uncounted);
}

/* --- CPUs that come online ------------------------------------------------------- */

/*
 * CPUs that came online since the worker last ran.  When a CPU goes offline, the kernel disables its
 * counters for good; the worker replaces them when it comes online again.
 */
static struct cpumask fresh;

static void counters_catch_up(struct work_struct *work)
{
	struct rt_counters *counters;
	int cpu;

	mutex_lock(&counters_lock);
	for_each_possible_cpu(cpu) {
		if (!cpumask_test_and_clear_cpu(cpu, &fresh))
			continue;
		list_for_each_entry(counters, &armed, link)
			counters_drop(counters, cpu);
	}
	/* A failure costs samples; COUNTS reports it. */
	list_for_each_entry(counters, &armed, link)
		counters_fill(counters, &counters->uncounted);
	mutex_unlock(&counters_lock);
}

static DECLARE_WORK(catching_up, counters_catch_up);

static int counters_cpu_came(unsigned int cpu)
{
	/* Before the work is queued, so that the worker finds it. */
	cpumask_set_cpu(cpu, &fresh);
	schedule_work(&catching_up);
	return 0;
}

static int hotplug_state;

int __init rt_counters_init(void)
{
	hotplug_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ringtail:counters",
						  counters_cpu_came, NULL);
	return hotplug_state < 0 ? hotplug_state : 0;
}

void rt_counters_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
	cancel_work_sync(&catching_up);
}
