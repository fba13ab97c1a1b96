// SPDX-License-Identifier: GPL-2.0
/*
 * pmu.c - the source PMU: counters of the kernel's perf_events, each overflow a record.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/hardirq.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <asm/local.h>

#include "compat/perf_event.h"
#include "counters.h"
#include "event/event.h"
#include "event/hit.h"
#include "event/place.h"
#include "event/user_side.h"
#include "pmu.h"

/* A session's counters make the kernel schedule all of them anew whenever one is switched on. */
static unsigned int counters_max = 128;
module_param(counters_max, uint, 0644);
MODULE_PARM_DESC(counters_max, "counters that a session may have (default: 128)");

/* hw.interrupts of a counter that the kernel has just paused; it has no public name. */
#define PAUSED (~0ULL)

/* Of pmu_try_it(); perf_events does not use this number. */
#define OTHER_PMU EPROTOTYPE

/* PERF_COUNT_SW_CGROUP_SWITCHES, which older headers lack. */
#define SW_CGROUP_SWITCHES 11

/* --- overflows ------------------------------------------------------------------- */

/* What the path from the event to the handler has added to preempt_count(). */
static __always_inline u32 depth_of(const struct rt_counters *counters)
{
	u32 count = preempt_count();

	if (!counters->interrupts)
		return 0;
	if (count & NMI_MASK)
		return NMI_OFFSET + HARDIRQ_OFFSET;
	/* Some hardware buffers are also drained at a context switch. */
	return count & HARDIRQ_MASK ? HARDIRQ_OFFSET : 0;
}

static void pmu_overflow(struct perf_event *counter, struct perf_sample_data *data,
			 struct pt_regs *regs)
{
	struct rt_counters *counters = counter->overflow_handler_context;
	struct rt_counter_fields *fields;
	struct rt_hit hit;

	if (unlikely(counter->hw.interrupts == PAUSED))
		local_inc(this_cpu_ptr(counters->pauses));
	hit.regs = regs;
	hit.ip = instruction_pointer(regs);
	hit.caller = 0;
	hit.top = 0;
	hit.address = rt_compat_sample_address(data);
	hit.linked = false;
	hit.depth = depth_of(counters);
	if (!rt_hit_begin_apart(&hit, counters->event))
		return;
	fields = rt_hit_reserve(&hit, sizeof(*fields));
	if (!fields)
		return;
	fields->ip = hit.ip;
	fields->period = data->period;
	rt_hit_commit(&hit);
}
NOKPROBE_SYMBOL(pmu_overflow);

/* --- checking -------------------------------------------------------------------- */

static int pmu_refuse(int err, struct rt_refusal *refusal)
{
	refusal->field = offsetof(struct rt_event_add, counter);
	switch (err) {
	case -ENOENT:
	case -ENODEV:
	case -ENXIO:
		refusal->reason = RT_REFUSED_NO_COUNTER;
		return -ENOENT;
	case -ENOMEM:
		return err;
	case -OTHER_PMU:
		refusal->reason = RT_REFUSED_COUNTER_TYPE;
		return -EINVAL;
	default:
		refusal->reason = RT_REFUSED_COUNTER;
		return err;
	}
}

static int pmu_describe(struct rt_counters *counters, const struct rt_event_add *add)
{
	struct perf_event_attr *attr = &counters->attr;
	const struct rt_counter *from = &add->counter;

	if (from->reserved || (from->flags & ~RT_COUNTER_FLAGS) || from->precise > 3 ||
	    !from->period || from->period > S64_MAX)
		return -EINVAL;
	attr->type = from->type;
	attr->config = from->config;
	attr->config1 = from->config1;
	attr->config2 = from->config2;
	attr->sample_period = from->period; /* in a union with the frequency */
	attr->freq = !!(from->flags & RT_COUNTER_FREQUENCY);
	attr->exclude_user = !!(from->flags & RT_COUNTER_EXCLUDE_USER);
	attr->exclude_kernel = !!(from->flags & RT_COUNTER_EXCLUDE_KERNEL);
	attr->exclude_hv = !!(from->flags & RT_COUNTER_EXCLUDE_HV);
	attr->exclude_idle = !!(from->flags & RT_COUNTER_EXCLUDE_IDLE);
	attr->exclude_host = !!(from->flags & RT_COUNTER_EXCLUDE_HOST);
	attr->exclude_guest = !!(from->flags & RT_COUNTER_EXCLUDE_GUEST);
	attr->pinned = !!(from->flags & RT_COUNTER_PINNED);
	attr->exclusive = !!(from->flags & RT_COUNTER_EXCLUSIVE);
	attr->precise_ip = from->precise;
	/* Without this some hardware does not look for the address. */
	attr->sample_type = add->carry & RT_CARRY_ADDRESS ? PERF_SAMPLE_ADDR : 0;
	counters->interrupts = from->type != PERF_TYPE_SOFTWARE ||
			       from->config == PERF_COUNT_SW_CPU_CLOCK ||
			       from->config == PERF_COUNT_SW_TASK_CLOCK;
	return 0;
}

/* The occurrence that a counter is hit by. */
static u64 pmu_where(const struct perf_event_attr *attr)
{
	if (attr->type != PERF_TYPE_SOFTWARE)
		return RT_PLACE_HARDWARE;
	switch (attr->config) {
	case PERF_COUNT_SW_CPU_CLOCK:
	case PERF_COUNT_SW_TASK_CLOCK:
		return RT_PLACE_CLOCK;
	case PERF_COUNT_SW_PAGE_FAULTS:
	case PERF_COUNT_SW_PAGE_FAULTS_MIN:
	case PERF_COUNT_SW_PAGE_FAULTS_MAJ:
		return RT_PLACE_PAGE_FAULT;
	case PERF_COUNT_SW_CONTEXT_SWITCHES:
	case PERF_COUNT_SW_CPU_MIGRATIONS:
	case SW_CGROUP_SWITCHES:
		return RT_PLACE_CONTEXT_SWITCH;
	default:
		return RT_PLACE_SOFTWARE + attr->config;
	}
}

/* Whether any CPU has the counter: CPUs of different types may differ.  *SAMPLED: it is one of a CPU's PMU. */
static int pmu_try(const struct perf_event_attr *wanted, bool *sampled)
{
	struct perf_event_attr attr = *wanted;
	struct perf_event *counter;
	int cpu, err = -ENODEV;

	attr.disabled = 1;
	for_each_online_cpu(cpu) {
		counter = perf_event_create_kernel_counter(&attr, cpu, NULL, pmu_overflow, NULL);
		if (!IS_ERR(counter)) {
			*sampled = counter->pmu->task_ctx_nr != perf_sw_context;
			perf_event_release_kernel(counter);
			return 0;
		}
		err = PTR_ERR(counter);
	}
	return err;
}

/* The kernel's numbers; those from PERF_TYPE_MAX on it gives to PMUs as they come. */
static bool is_fixed_type(u32 type)
{
	return type == PERF_TYPE_HARDWARE || type == PERF_TYPE_SOFTWARE ||
	       type == PERF_TYPE_HW_CACHE || type == PERF_TYPE_RAW;
}

/*
 * Tracepoints, breakpoints, kprobes and uprobes are also PMUs of the kernel, and traces of processors
 * are.  The first four have sources of their own, with checks and limits of their own, and traces need a
 * buffer.  All of them, and no PMU that samples, are PMUs for software contexts.  Where their number is
 * not fixed, ask first without the members that name a place: without these the kernel makes no probe.
 */
static int pmu_try_it(const struct rt_counters *counters)
{
	const struct perf_event_attr *attr = &counters->attr;
	struct perf_event_attr bare = *attr;
	bool sampled = false;
	int err;

	if (is_fixed_type(attr->type))
		return pmu_try(attr, &sampled);
	if (attr->type < PERF_TYPE_MAX)
		return -OTHER_PMU;
	bare.config1 = 0;
	bare.config2 = 0;
	err = pmu_try(&bare, &sampled);
	if (!err && !sampled)
		return -OTHER_PMU;
	/* A place is missing, or the event does not exist. */
	if (err == -EINVAL && (attr->config1 || attr->config2))
		return -OTHER_PMU;
	return err ? err : pmu_try(attr, &sampled);
}

static int pmu_count(struct rt_event *event, struct rt_refusal *refusal)
{
	u32 most = min_t(u32, READ_ONCE(counters_max), RT_EVENTS_MAX), count = 0;
	struct list_head *at;

	list_for_each(at, rt_event_of_kind(event->set, RT_KIND_PMU)) count++;
	if (count >= most) {
		refusal->reason = RT_REFUSED_COUNTERS;
		refusal->field = offsetof(struct rt_event_add, kind);
		refusal->detail = most;
		return -ENOSPC;
	}
	/* What the kernel allocates without charging anybody. */
	return rt_event_charge(event, rt_counters_bytes(), refusal);
}

static int pmu_prepare(struct rt_event *event, const struct rt_event_add *add,
		       struct rt_refusal *refusal)
{
	struct rt_counters *counters;
	int err;

	err = pmu_count(event, refusal);
	if (err)
		return err;
	counters = rt_counters_new(event, pmu_overflow);
	if (!counters)
		return -ENOMEM;
	err = pmu_describe(counters, add);
	if (!err)
		err = pmu_try_it(counters);
	if (err) {
		rt_counters_free(counters);
		return pmu_refuse(err, refusal);
	}
	event->fetch.fixed = RT_FIELD_BASE + sizeof(struct rt_counter_fields);
	event->probe = counters;
	event->where = pmu_where(&counters->attr);
	return 0;
}

/* Set once, at load: the test creates an event, and INFO must cost next to nothing. */
static int hardware_error;

int rt_pmu_error(void)
{
	return hardware_error;
}

static u64 pmu_works(void)
{
	return hardware_error ? 0 : RT_SOURCE_PMU;
}

/* The only sure sign of a PMU is that the kernel hands out a counter. */
static int __init try_hardware(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.size = sizeof(attr),
		.disabled = 1,
	};
	struct perf_event *counter;

	counter = perf_event_create_kernel_counter(&attr, cpumask_first(cpu_online_mask), NULL,
						   NULL, NULL);
	if (IS_ERR(counter))
		return PTR_ERR(counter);
	perf_event_release_kernel(counter);
	return 0;
}

int __init rt_pmu_init(void)
{
	hardware_error = try_hardware();
	return rt_counters_init();
}

void rt_pmu_exit(void)
{
	rt_counters_exit();
}

const struct rt_source rt_pmu_source = {
	.kind = RT_KIND_PMU,
	.carry = RT_CARRY_STACK | RT_CARRY_REGISTERS | RT_CARRY_USER | RT_CARRY_ADDRESS,
	.contexts = 1U << RT_CONTEXT_PID | 1U << RT_CONTEXT_TID | 1U << RT_CONTEXT_CPU |
		    1U << RT_CONTEXT_PRIO | 1U << RT_CONTEXT_LEVEL | 1U << RT_CONTEXT_IP,
	.lockdown = RT_LOCKDOWN_PERF | RT_LOCKDOWN_READ_KMEM,
	.own_fields = true,
	.crowd = RT_PLACE_EVENTS_MAX,
	.place = RT_PLACE_COUNTED,
	.argument = sizeof(struct rt_counter),
	.works = pmu_works,
	.prepare = pmu_prepare,
	.arm = rt_counters_arm,
	.disarm = rt_counters_disarm,
	.missed = rt_counters_missed,
	.release = rt_counters_release,
};
