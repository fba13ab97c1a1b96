// SPDX-License-Identifier: GPL-2.0
/*
 * pmu.c - the source PMU: counters of the kernel's perf_events, each overflow a record.
 *
 * There is one counter for each CPU, also where a session is restricted to tasks: those
 * are picked at each overflow, as for every other source.  Counters bound to tasks would
 * have to be made for each new child before it first runs; where we hear of a fork
 * nothing may sleep, and the kernel's own inheritance lets the fork fail if it cannot be
 * done.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/hardirq.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <asm/local.h>

#include "argument.h"
#include "event.h"
#include "hit.h"
#include "pmu.h"
#include "session.h"
#include "user_side.h"

/* hw.interrupts of a counter that the kernel has just paused; it has no public name. */
#define PAUSED (~0ULL)

struct probe {
	struct rt_event *event;
	struct perf_event_attr attr;
	bool interrupts; /* an overflow comes as an interrupt, not where the event happens */
	local_t __percpu *pauses;

	/* Under counters_lock. */
	struct list_head link;	      /* among the armed ones */
	struct perf_event **counters; /* by CPU */
};

/*
 * Taken inside a session's lock.  The kernel may take its hotplug lock when it makes a
 * counter, so CPUs come and go meanwhile, and what they need is done by a worker.
 */
static DEFINE_MUTEX(counters_lock);
static LIST_HEAD(armed);

/* --- overflows ------------------------------------------------------------------- */

/* What the way to our handler has added to preempt_count(). */
static __always_inline u32 depth_of(const struct probe *probe)
{
	u32 count = preempt_count();

	if (!probe->interrupts)
		return 0;
	if (count & NMI_MASK)
		return NMI_OFFSET + HARDIRQ_OFFSET;
	/* Some hardware's buffers are also emptied at a switch of tasks. */
	return count & HARDIRQ_MASK ? HARDIRQ_OFFSET : 0;
}

static void overflow(struct perf_event *counter, struct perf_sample_data *data,
		     struct pt_regs *regs)
{
	struct probe *probe = counter->overflow_handler_context;
	struct rt_counter_fields *fields;
	struct rt_hit hit;

	if (unlikely(counter->hw.interrupts == PAUSED))
		local_inc(this_cpu_ptr(probe->pauses));
	hit.regs = regs;
	hit.ip = instruction_pointer(regs);
	hit.caller = 0;
	hit.top = 0;
	hit.entry = false;
	hit.depth = depth_of(probe);
	if (!rt_hit_begin_apart(&hit, probe->event))
		return;
	fields = rt_hit_reserve(&hit, sizeof(*fields));
	if (!fields)
		return;
	fields->ip = hit.ip;
	fields->period = data->period;
	rt_hit_commit(&hit);
}
NOKPROBE_SYMBOL(overflow);

/* --- checking -------------------------------------------------------------------- */

static int refuse(int err, struct rt_refusal *refusal)
{
	refusal->field = offsetof(struct rt_event_add, address);
	switch (err) {
	case -ENOENT:
	case -ENODEV:
	case -ENXIO:
		refusal->reason = RT_REFUSED_NO_COUNTER;
		return -ENOENT;
	case -ENOMEM:
		return err;
	default:
		refusal->reason = RT_REFUSED_COUNTER;
		return err;
	}
}

static int describe(struct probe *probe, const struct rt_event_add *add)
{
	struct perf_event_attr *attr = &probe->attr;
	struct rt_counter from;
	int err;

	if (add->instances)
		return -EINVAL;
	err = rt_argument_read(&from, sizeof(from), sizeof(from), u64_to_user_ptr(add->address));
	if (err)
		return err;
	if ((from.flags & ~RT_COUNTER_FLAGS) || from.precise > 3 || !from.period ||
	    from.period > S64_MAX)
		return -EINVAL;
	/* These have sources of their own. */
	if (from.type == PERF_TYPE_TRACEPOINT || from.type == PERF_TYPE_BREAKPOINT)
		return -EINVAL;
	attr->size = sizeof(*attr);
	attr->type = from.type;
	attr->config = from.config;
	attr->config1 = from.config1;
	attr->config2 = from.config2;
	attr->sample_period = from.period; /* one place with the frequency */
	attr->freq = !!(from.flags & RT_COUNTER_FREQUENCY);
	attr->exclude_user = !!(from.flags & RT_COUNTER_EXCLUDE_USER);
	attr->exclude_kernel = !!(from.flags & RT_COUNTER_EXCLUDE_KERNEL);
	attr->exclude_hv = !!(from.flags & RT_COUNTER_EXCLUDE_HV);
	attr->exclude_idle = !!(from.flags & RT_COUNTER_EXCLUDE_IDLE);
	attr->exclude_host = !!(from.flags & RT_COUNTER_EXCLUDE_HOST);
	attr->exclude_guest = !!(from.flags & RT_COUNTER_EXCLUDE_GUEST);
	attr->pinned = !!(from.flags & RT_COUNTER_PINNED);
	attr->exclusive = !!(from.flags & RT_COUNTER_EXCLUSIVE);
	attr->precise_ip = from.precise;
	probe->interrupts = from.type != PERF_TYPE_SOFTWARE ||
			    from.config == PERF_COUNT_SW_CPU_CLOCK ||
			    from.config == PERF_COUNT_SW_TASK_CLOCK;
	return 0;
}

/* Whether some CPU has it: where CPUs are of several kinds, not all of them need to. */
static int try_it(struct probe *probe)
{
	struct perf_event_attr attr = probe->attr;
	struct perf_event *counter;
	int cpu, err = -ENODEV;

	attr.disabled = 1;
	for_each_online_cpu(cpu) {
		counter = perf_event_create_kernel_counter(&attr, cpu, NULL, overflow, probe);
		if (!IS_ERR(counter)) {
			perf_event_release_kernel(counter);
			return 0;
		}
		err = PTR_ERR(counter);
	}
	return err;
}

static void probe_free(struct probe *probe)
{
	free_percpu(probe->pauses);
	kvfree(probe->counters);
	kfree(probe);
}

static int prepare(struct rt_event *event, const struct rt_event_add *add,
		   struct rt_refusal *refusal)
{
	struct probe *probe;
	int err = -ENOMEM;

	probe = kzalloc(sizeof(*probe), GFP_KERNEL_ACCOUNT);
	if (!probe)
		return err;
	probe->event = event;
	INIT_LIST_HEAD(&probe->link);
	probe->counters = kvcalloc(nr_cpu_ids, sizeof(*probe->counters), GFP_KERNEL_ACCOUNT);
	probe->pauses = alloc_percpu_gfp(local_t, GFP_KERNEL_ACCOUNT);
	if (!probe->counters || !probe->pauses)
		goto err_free;
	err = describe(probe, add);
	if (!err)
		err = try_it(probe);
	if (err) {
		err = refuse(err, refusal);
		goto err_free;
	}
	event->fetch.fixed = RT_FIELD_BASE + sizeof(struct rt_counter_fields);
	event->probe = probe;
	return 0;

err_free:
	probe_free(probe);
	return err;
}

/* --- arming ---------------------------------------------------------------------- */

/* A counter on every CPU at hand that is wanted and lacks one. */
static int fill(struct probe *probe)
{
	const struct rt_targets *targets = &probe->event->session->targets;
	struct perf_event *counter;
	int cpu, made = 0, err = -ENODEV;

	for_each_online_cpu(cpu) {
		if (targets->by_cpu && !cpumask_test_cpu(cpu, &targets->cpus))
			continue;
		if (!probe->counters[cpu]) {
			counter = perf_event_create_kernel_counter(&probe->attr, cpu, NULL,
								   overflow, probe);
			if (IS_ERR(counter)) {
				err = PTR_ERR(counter);
				/* Not this kind of CPU, or it is on its way out. */
				if (err == -ENOENT || err == -ENODEV)
					continue;
				return err;
			}
			probe->counters[cpu] = counter;
		}
		made++;
	}
	return made ? 0 : err;
}

static void drop(struct probe *probe, int cpu)
{
	if (probe->counters[cpu])
		perf_event_release_kernel(probe->counters[cpu]);
	probe->counters[cpu] = NULL;
}

static void disarm(struct list_head *events)
{
	struct rt_event *event;
	struct probe *probe;
	int cpu;

	mutex_lock(&counters_lock);
	list_for_each_entry(event, events, link) {
		probe = event->probe;
		list_del_init(&probe->link);
		for_each_possible_cpu(cpu)
			drop(probe, cpu);
	}
	mutex_unlock(&counters_lock);
	/* Handlers run with preemption off; one may have been interrupted by the removal. */
	synchronize_rcu();
}

static int arm(struct list_head *events, struct rt_refusal *refusal)
{
	struct rt_event *event;
	struct probe *probe;
	int err = 0;

	mutex_lock(&counters_lock);
	list_for_each_entry(event, events, link) {
		probe = event->probe;
		list_add_tail(&probe->link, &armed);
		err = fill(probe);
		if (err)
			break;
	}
	mutex_unlock(&counters_lock);
	if (!err)
		return 0;
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
		probe_free(event->probe);
		event->probe = NULL;
	}
}

static void missed(struct rt_event *event, u64 *missed)
{
	struct probe *probe = event->probe;
	int cpu;

	for_each_possible_cpu(cpu)
		missed[RT_MISSED_THROTTLED] += local_read(per_cpu_ptr(probe->pauses, cpu));
}

/* --- CPUs that come -------------------------------------------------------------- */

/*
 * CPUs that have come since the worker last looked.  When a CPU goes, the kernel takes
 * its counters out of use for good; there is time to replace them until it comes again.
 */
static struct cpumask fresh;

static void catch_up(struct work_struct *work)
{
	struct probe *probe;
	int cpu;

	mutex_lock(&counters_lock);
	for_each_possible_cpu(cpu) {
		if (!cpumask_test_and_clear_cpu(cpu, &fresh))
			continue;
		list_for_each_entry(probe, &armed, link)
			drop(probe, cpu);
	}
	/* Failing costs samples, which is all that can be done about it here. */
	list_for_each_entry(probe, &armed, link)
		fill(probe);
	mutex_unlock(&counters_lock);
}

static DECLARE_WORK(catching_up, catch_up);

static int cpu_came(unsigned int cpu)
{
	/* Before the work is queued, so that the worker finds it. */
	cpumask_set_cpu(cpu, &fresh);
	schedule_work(&catching_up);
	return 0;
}

static int hotplug_state;

int rt_pmu_init(void)
{
	hotplug_state =
		cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ringtail:pmu", cpu_came, NULL);
	return hotplug_state < 0 ? hotplug_state : 0;
}

void rt_pmu_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
	cancel_work_sync(&catching_up);
}

const struct rt_source rt_pmu_source = {
	.kind = RT_KIND_PMU,
	.carry = RT_CARRY_STACK | RT_CARRY_REGISTERS | RT_CARRY_USER,
	.contexts = 1U << RT_CONTEXT_PID | 1U << RT_CONTEXT_TID | 1U << RT_CONTEXT_CPU |
		    1U << RT_CONTEXT_PRIO | 1U << RT_CONTEXT_LEVEL | 1U << RT_CONTEXT_IP,
	.lockdown = RT_LOCKDOWN_PERF | RT_LOCKDOWN_READ_KMEM,
	.own_fields = true,
	.prepare = prepare,
	.arm = arm,
	.disarm = disarm,
	.missed = missed,
	.release = release,
};
