// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/percpu.h>

#include "event/event.h"
#include "watch_access.h"
#include "watch_copies.h"

u64 rt_watch_copy_address(u64 address, u32 cpu)
{
	return (unsigned long)per_cpu_ptr((void __percpu *)(unsigned long)address, cpu);
}

int rt_watch_copy_choose(struct rt_event_add *add)
{
	if (add->watch.cpu >= nr_cpu_ids || !cpu_possible(add->watch.cpu))
		return -EINVAL;
	add->watch.address = rt_watch_copy_address(add->watch.address, add->watch.cpu);
	add->watch.flags = 0;
	add->watch.cpu = 0;
	return 0;
}

static void copy_init(struct rt_watch *watch, u32 cpu)
{
	struct rt_watch *copy = &watch->copies[cpu];

	*copy = *watch;
	copy->address = rt_watch_copy_address(watch->address, cpu);
	copy->copies = NULL;
	copy->whole = watch;
	copy->handles = NULL;
	copy->count = 0;
	INIT_LIST_HEAD(&copy->link);
}

int rt_watch_copies_make(struct rt_watch *watch)
{
	u32 cpu;

	watch->copies = kvcalloc(nr_cpu_ids, sizeof(*watch->copies), GFP_KERNEL_ACCOUNT);
	if (!watch->copies)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		copy_init(watch, cpu);
	return 0;
}

void rt_watch_copies_start(struct rt_watch *watch)
{
	u32 cpu;

	for_each_possible_cpu(cpu) {
		copy_init(watch, cpu);
		rt_watch_access_start(&watch->copies[cpu]);
	}
}
