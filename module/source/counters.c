// SPDX-License-Identifier: GPL-2.0
#include "counters.h"

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/log2.h>
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
 * Taken inside a session's lock, for one event at a time: to create its counters takes long.  The kernel
 * may take its hotplug lock when it creates a counter, so the hotplug callback must not take this lock:
 * a worker serves CPUs that come online.
 */
static DEFINE_MUTEX(counters_lock);
static LIST_HEAD(armed);
static u64 pass; /* of the worker */

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

u64 rt_counters_bytes(void)
{
	/* Before 5.12 the kernel allocates a struct perf_event by kmalloc(), which rounds up. */
	u64 one = roundup_pow_of_two(sizeof(struct perf_event)) + sizeof(struct perf_event *) +
		  sizeof(local_t);

	return one * num_possible_cpus() + sizeof(struct rt_counters);
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

/* Under the lock. */
static int counters_arm(struct rt_counters *counters)
{
	int err;

	counters->pass = pass;
	list_add_tail(&counters->link, &armed);
	err = counters_fill(counters, NULL);
	if (err)
		counters_drop_all(counters);
	return err;
}

int rt_counters_arm_one(struct rt_counters *counters)
{
	int err;

	mutex_lock(&counters_lock);
	err = counters_arm(counters);
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

	list_for_each_entry(event, events, link) {
		rt_counters_disarm_one(event->probe);
		cond_resched();
	}
	/* Handlers run with preemption off; the removal may have interrupted one. */
	synchronize_rcu();
}

int rt_counters_arm(struct list_head *events, struct rt_refusal *refusal)
{
	struct rt_event *event;
	int err = 0;

	list_for_each_entry(event, events, link) {
		err = rt_event_arming_ends();
		if (!err && mutex_lock_killable(&counters_lock))
			err = -EINTR;
		if (err)
			break;
		err = counters_arm(event->probe);
		mutex_unlock(&counters_lock);
		if (err)
			err = rt_event_arming_failed(event, err, refusal);
		if (err)
			break;
		cond_resched();
	}
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

/* Under the lock: the next one that this pass has not served, at the end of the list; or NULL. */
static struct rt_counters *next_to_serve(void)
{
	struct rt_counters *counters;

	if (list_empty(&armed))
		return NULL;
	counters = list_first_entry(&armed, struct rt_counters, link);
	if (counters->pass == pass)
		return NULL;
	counters->pass = pass;
	list_move_tail(&counters->link, &armed);
	return counters;
}

/* Those that are armed from here on have a counter on each CPU that came before. */
static void begin_pass(struct cpumask *came)
{
	int cpu;

	cpumask_clear(came);
	mutex_lock(&counters_lock);
	pass++;
	for_each_possible_cpu(cpu)
		if (cpumask_test_and_clear_cpu(cpu, &fresh))
			cpumask_set_cpu(cpu, came);
	mutex_unlock(&counters_lock);
}

static void counters_catch_up(struct work_struct *work)
{
	static struct cpumask came; /* this work alone uses it */
	struct rt_counters *counters;
	int cpu;

	begin_pass(&came);
	do {
		mutex_lock(&counters_lock);
		counters = next_to_serve();
		if (counters) {
			for_each_cpu(cpu, &came)
				counters_drop(counters, cpu);
			/* A failure costs samples; COUNTS reports it. */
			counters_fill(counters, &counters->uncounted);
		}
		mutex_unlock(&counters_lock);
		cond_resched();
	} while (counters);
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
