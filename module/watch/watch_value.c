// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "watch_decode.h"
#include "watch_value.h"
#ifdef CONFIG_ARM64
#include "watch_memory.h"
#endif

bool rt_watch_read_user(const struct rt_watch *watch, u64 *value)
{
	return !rt_port_read_user(value, watch->address, watch->length);
}
NOKPROBE_SYMBOL(rt_watch_read_user);

bool rt_watch_read(const struct rt_watch *watch, u64 *value)
{
	return rt_watch_read_now(watch, value);
}
NOKPROBE_SYMBOL(rt_watch_read);

void rt_watch_access_start(struct rt_watch *watch)
{
	int cpu;

	watch->last_cpu = raw_smp_processor_id();
	/* So that no CPU takes the first hit for the successor of its own last hit. */
	atomic_inc(&watch->turn);
	for_each_possible_cpu(cpu)
		per_cpu_ptr(watch->cpu, cpu)->steps = false;
	atomic_set(&watch->stepping, 0);
	watch->last_memory = 0;
	watch->last_known = !watch->user && rt_watch_read_now(watch, &watch->last);
#ifdef CONFIG_ARM64
	watch->cached = !watch->user && rt_watch_can_swap(watch->address);
	watch->swaps =
		watch->cached && is_power_of_2(watch->length) && !(watch->address % watch->length);
#endif
	rt_watch_decode_forget();
}
