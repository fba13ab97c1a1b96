// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/string.h>
#include <generated/utsrelease.h>

#include <uapi/ringtail.h>

#include "argument.h"
#include "clock.h"
#include "entry.h"
#include "info.h"
#include "lockdown.h"
#include "lookup.h"
#include "slots.h"
#include "watchpoint.h"

/* Set once, at load: asking costs an event, and INFO shall cost next to nothing. */
static int pmu_error;

/* The only sure sign of a PMU is that the kernel hands out a counter. */
static int __init try_pmu(void)
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

void __init rt_info_init(void)
{
	pmu_error = try_pmu();
}

static u64 sources(const struct rt_info *info)
{
	u64 bits = 0;

	if (IS_ENABLED(CONFIG_KPROBES))
		bits |= RT_SOURCE_KPROBE;
	if (IS_ENABLED(CONFIG_KRETPROBES))
		bits |= RT_SOURCE_KRETPROBE;
	if (IS_ENABLED(CONFIG_TRACEPOINTS))
		bits |= RT_SOURCE_TRACEPOINT;
	if (IS_ENABLED(CONFIG_UPROBES))
		bits |= RT_SOURCE_UPROBE;
	if (info->watch_slots && rt_watchpoint_works())
		bits |= RT_SOURCE_WATCHPOINT;
	if (!info->pmu_error)
		bits |= RT_SOURCE_PMU;
	if (rt_entry_wanted())
		bits |= RT_SOURCE_ENTRY;
	return bits;
}

int rt_info_call(void __user *argument)
{
	struct rt_slots slots = rt_slots_count();
	struct rt_info info;
	u32 callers;
	int err;

	/* Room after the last field would come out as whatever the stack held. */
	BUILD_BUG_ON(sizeof(info) != offsetof(struct rt_info, version) + RT_VERSION_LEN);

	err = rt_argument_read(&info, sizeof(info), RT_INFO_SIZE_MIN, argument);
	if (err)
		return err;
	callers = info.size;

	memset(&info, 0, sizeof(info));
	info.size = sizeof(info);
	info.abi_major = RT_ABI_MAJOR;
	info.abi_minor = RT_ABI_MINOR;
	info.clock = RT_CLOCK_KIND;
	info.lookups = rt_lookup_found();
	info.page_size = PAGE_SIZE;
	info.cpus_possible = num_possible_cpus();
	info.cpus_online = num_online_cpus();
	info.lockdown = rt_lockdown_refused();
	info.pmu_error = pmu_error;
	info.watch_slots = slots.watch;
	info.break_slots = slots.brk;
	info.slots_shared = slots.shared;
	info.sources = sources(&info);
	strscpy(info.kernel_release, UTS_RELEASE, sizeof(info.kernel_release));
	strscpy(info.version, RT_VERSION, sizeof(info.version));
	/* Last, so that it is as fresh as can be. */
	info.clock_to_dmesg = rt_clock_to_dmesg();

	return rt_argument_write(argument, callers, &info, sizeof(info));
}
