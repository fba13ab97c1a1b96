// SPDX-License-Identifier: GPL-2.0
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>

#include "compat/traps.h"
#include "event/event.h"
#include "event/channel.h"
#include "program/program_port.h"
#include "watch_check.h"
#include "watch_copies.h"

#ifdef CONFIG_ARM64
#include "compat/slots.h"

/* Any run of bytes within a doubleword is allowed. */
static u32 wanted_alignment(const struct rt_event_add *add)
{
	bool whole = add->watch.length == 8 || add->watch.address % 8 + add->watch.length > 8;

	return whole || !RT_COMPAT_WATCH_ANY_BYTES ? 8 : 1;
}

#define ANY_LENGTH	  RT_COMPAT_WATCH_ANY_BYTES
#define ACCESS_KINDS	  (RT_ACCESS_READ | RT_ACCESS_WRITE | RT_ACCESS_EXECUTE)
#define EXECUTE_ALIGNMENT 4
#else
static u32 wanted_alignment(const struct rt_event_add *add)
{
	return add->watch.length;
}

#define ANY_LENGTH	  false
#define ACCESS_KINDS	  (RT_ACCESS_WRITE | RT_ACCESS_EXECUTE)
#define EXECUTE_ALIGNMENT 1
#endif

static bool length_works(u32 length)
{
	if (ANY_LENGTH)
		return length >= 1 && length <= 8;
	return length == 1 || length == 2 || length == 4 || length == 8;
}

static bool access_works(u32 access)
{
	u32 data = RT_ACCESS_READ | RT_ACCESS_WRITE;

	if (access & RT_ACCESS_EXECUTE)
		return access == RT_ACCESS_EXECUTE;
	return (access & data) == access && (access & (ACCESS_KINDS | RT_ACCESS_WRITE)) &&
	       (access != RT_ACCESS_READ || (ACCESS_KINDS & RT_ACCESS_READ));
}

/* Memory that our handlers write: each hit there would cause another hit, forever. */
static bool is_ours(const struct rt_event *event, u64 from, u64 to)
{
	struct rt_event_set *set = event->set;
	u64 at;
	u32 i;
	int cpu;

	if (within_module(from, THIS_MODULE) || within_module(to - 1, THIS_MODULE) ||
	    rt_channels_own(from, to))
		return true;
	for_each_possible_cpu(cpu) {
		for (i = 0; i < set->count; i++) {
			at = rt_port_untagged(
				(unsigned long)per_cpu_ptr(set->by_id[i]->count, cpu));
			if (from < at + sizeof(struct rt_event_count) && to > at)
				return true;
		}
	}
	return false;
}

/* A kernel stack of a task. */
static bool is_stack(u64 from, u64 to)
{
	struct task_struct *leader, *task;
	bool found = false;
	u64 at;

	rcu_read_lock();
	for_each_process(leader)
	{
		for_each_thread(leader, task)
		{
			at = (unsigned long)task_stack_page(task);
			found = found || (at && from < at + THREAD_SIZE && to > at);
		}
	}
	rcu_read_unlock();
	return found;
}

/* The same of what is watched, which may be a copy on each CPU; and each must be the kernel's. */
static int check_memory(const struct rt_event *event, const struct rt_event_add *add,
			struct rt_refusal *refusal)
{
	bool execute = add->watch.access & RT_ACCESS_EXECUTE;
	u64 at = rt_port_untagged(add->watch.address);
	int cpu;

	for_each_possible_cpu(cpu) {
		if (add->watch.flags & RT_WATCHPOINT_EACH_CPU) {
			at = rt_watch_copy_address(add->watch.address, cpu);
			if (at < TASK_SIZE_MAX) {
				rt_watch_refuse(refusal, RT_REFUSED_ADDRESS, watch.address, 0);
				return -EINVAL;
			}
		}
		if (!execute && is_ours(event, at, at + add->watch.length)) {
			rt_watch_refuse(refusal, RT_REFUSED_OWN_MEMORY, watch.address, 0);
			return -EBUSY;
		}
		if (!(add->watch.flags & RT_WATCHPOINT_EACH_CPU))
			break;
	}
	return 0;
}

static bool flags_known(const struct rt_event_add *add)
{
	return !(add->watch.flags & ~RT_WATCHPOINT_EACH_CPU) && !add->watch.cpu &&
	       !add->watch.reserved;
}

int rt_watch_check(const struct rt_event *event, const struct rt_event_add *add,
		   struct rt_refusal *refusal)
{
	bool execute = add->watch.access & RT_ACCESS_EXECUTE;
	u64 address = rt_port_untagged(add->watch.address);
	u32 alignment = execute ? EXECUTE_ALIGNMENT : wanted_alignment(add);
	int err;

	if (add->name) {
		rt_watch_refuse(refusal, RT_REFUSED_NAME, name, 0);
		return -EINVAL;
	}
	if (!flags_known(add)) {
		rt_watch_refuse(refusal, RT_REFUSED_FLAGS, watch.flags,
				RT_WATCHPOINT_EACH_CPU | RT_WATCHPOINT_ONE_CPU);
		return -EINVAL;
	}
	if (!access_works(add->watch.access) ||
	    (execute && !RT_COMPAT_STEPS_KERNEL && address >= TASK_SIZE_MAX)) {
		rt_watch_refuse(refusal, RT_REFUSED_ACCESS, watch.access, ACCESS_KINDS);
		return -EINVAL;
	}
	if (!execute && !length_works(add->watch.length)) {
		rt_watch_refuse(refusal, RT_REFUSED_LENGTH_WATCH, watch.length, 0);
		return -EINVAL;
	}
	if (add->watch.address % alignment) {
		rt_watch_refuse(refusal, RT_REFUSED_ALIGNMENT, watch.address, alignment);
		return -EINVAL;
	}
	err = check_memory(event, add, refusal);
	/* The handler cannot perform accesses there (watch_held.h). */
	if (!err && !execute && !RT_COMPAT_STEPS_KERNEL &&
	    is_stack(address, address + add->watch.length)) {
		rt_watch_refuse(refusal, RT_REFUSED_STACK, watch.address, 0);
		err = -EOPNOTSUPP;
	}
	return err;
}
