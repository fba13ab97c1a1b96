// SPDX-License-Identifier: GPL-2.0
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <generated/utsrelease.h>

#include <uapi/ringtail.h>

#include "info.h"
#include "kernel/argument.h"
#include "kernel/clock.h"
#include "kernel/lockdown.h"
#include "kernel/lookup.h"
#include "kernel/memory.h"
#include "kernel/slots.h"
#include "sessions.h"
#include "side.h"
#include "source/kprobe_instances.h"
#include "source/pmu.h"
#include "sources.h"

static u64 sources(void)
{
	u64 bits = 0;
	int i;

	for (i = 0; i < RT_SOURCES; i++)
		if (rt_sources[i]->works)
			bits |= rt_sources[i]->works();
	return bits;
}

int rt_info_call(void __user *argument)
{
	struct rt_slots slots = rt_slots_count();
	struct rt_info info;
	u32 callers;
	int err;

	/* Padding after the last field would leak stack contents. */
	BUILD_BUG_ON(sizeof(info) != offsetofend(struct rt_info, sessions_max));

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
	info.cpu_ids = nr_cpu_ids;
	info.lockdown = rt_lockdown_refused();
	info.pmu_error = rt_pmu_error();
	info.watch_slots = slots.watch;
	info.break_slots = slots.brk;
	info.slots_shared = slots.shared;
	info.sources = sources();
	strscpy(info.kernel_release, UTS_RELEASE, sizeof(info.kernel_release));
	strscpy(info.version, RT_VERSION, sizeof(info.version));
	info.side_missing = rt_side_missing();
	info.instances = rt_kprobe_instances();
	info.memory_used = rt_memory_used();
	info.memory_limit = rt_memory_limit();
	info.sessions = rt_sessions_count();
	info.sessions_max = rt_sessions_limit();
	/* Last, to be as recent as possible. */
	info.clock_to_dmesg = rt_clock_to_dmesg();

	return rt_argument_write(argument, callers, &info, sizeof(info));
}
