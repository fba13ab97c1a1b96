// SPDX-License-Identifier: GPL-2.0
#include "kprobe_instances.h"

#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mutex.h>

#include "event/event.h"
#include "kprobe_one.h"

/* Instances of all kretprobes; changed under rt_kprobes_lock. */
static u32 instances_sum;

u32 rt_kprobe_instances(void)
{
	return READ_ONCE(instances_sum);
}

/* The number that the kernel chooses by default. */
static u32 default_instances(void)
{
	if (IS_ENABLED(CONFIG_PREEMPTION) || IS_ENABLED(CONFIG_PREEMPT))
		return max_t(u32, 10, 2 * num_possible_cpus());
	return num_possible_cpus();
}

/* The memory that the kernel allocates for them without charging anybody. */
static u64 instances_bytes(u32 instances, u32 saved)
{
	u64 bytes = (u64)instances * roundup_pow_of_two(sizeof(struct kretprobe_instance) + saved);

	/* A pool has room for all of them on every CPU. */
	if (IS_ENABLED(CONFIG_OBJPOOL))
		bytes += (u64)roundup_pow_of_two(instances) * sizeof(void *) * num_possible_cpus();
	return bytes;
}

int rt_kprobe_take_instances(struct rt_kprobe *probe, struct rt_refusal *refusal)
{
	u32 instances = probe->rp.maxactive > 0 ? probe->rp.maxactive : default_instances();
	u32 left;

	mutex_lock(&rt_kprobes_lock);
	left = RT_INSTANCES_SUM_MAX - instances_sum;
	if (instances <= left) {
		WRITE_ONCE(instances_sum, instances_sum + instances);
		probe->instances = instances;
	}
	mutex_unlock(&rt_kprobes_lock);
	if (!probe->instances) {
		refusal->reason = RT_REFUSED_INSTANCES;
		refusal->field = offsetof(struct rt_event_add, probe.instances);
		refusal->detail = left;
		return -ENOSPC;
	}
	return rt_event_charge(probe->event,
			       instances_bytes(instances, rt_kprobe_saved(probe->event)), refusal);
}

void rt_kprobe_give_instances(struct rt_kprobe *probe)
{
	mutex_lock(&rt_kprobes_lock);
	WRITE_ONCE(instances_sum, instances_sum - probe->instances);
	mutex_unlock(&rt_kprobes_lock);
}
