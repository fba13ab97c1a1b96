// SPDX-License-Identifier: GPL-2.0
/*
 * watchpoint.c - the source watchpoint: records accesses to memory.
 *
 * A kernel address takes a debug register on every CPU, also on CPUs that come online later.  The
 * module takes the registers, disabled, when the event is added, so that it can refuse the event then.
 * A user address is watched in the target tasks of the session (watch_task.c).
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include "compat/cpuhotplug.h"
#include "compat/traps.h"
#include "kernel/argument.h"
#include "kernel/slots.h"
#include "kernel/task_call.h"
#include "program/program_port.h"
#include "event/event.h"
#include "event/place.h"
#include "event/channel.h"
#include "event/user_side.h"
#include "watch.h"
#include "watch_access.h"
#include "watch_check.h"
#include "watch_copies.h"
#include "watch_decode.h"
#include "watch_near.h"
#include "watch_registers.h"
#include "watch_switch.h"
#include "watchpoint.h"

const struct rt_watch_backend *rt_watch_backend = &rt_watch_hwbp;

DEFINE_MUTEX(rt_watches_lock);
LIST_HEAD(rt_watches);
DEFINE_MUTEX(rt_user_watches_lock);
LIST_HEAD(rt_user_watches);

static struct mutex *lock_of(const struct rt_watch *watch)
{
	return watch->user ? &rt_user_watches_lock : &rt_watches_lock;
}

/* Why there are no watchpoints; 0: there are. */
static int backend_error;

static void watch_free(struct rt_watch *watch)
{
	if (watch->cpu)
		rt_watch_pause_exit(watch);
	free_percpu(watch->cpu);
	kvfree(watch->handles);
	kvfree(watch->copies);
	kfree(watch);
}

static struct rt_watch *watch_new(struct rt_event *event, const struct rt_event_add *add)
{
	struct rt_watch *watch = kzalloc(sizeof(*watch), GFP_KERNEL_ACCOUNT);
	u64 address = rt_port_untagged(add->watch.address);

	if (!watch)
		return NULL;
	INIT_LIST_HEAD(&watch->link);
	watch->event = event;
	watch->address = address;
	watch->length = add->watch.length;
	watch->access = add->watch.access;
	watch->rate = add->watch.rate ? add->watch.rate : RT_RATE_DEFAULT;
	watch->user = !(add->watch.flags & RT_WATCHPOINT_EACH_CPU) && address < TASK_SIZE_MAX;
	watch->shift = address % 8 * 8;
	watch->mask = add->watch.length >= 8 ? ~0ULL : (1ULL << 8 * add->watch.length) - 1;
	watch->owner = current->tgid;
	watch->room = nr_cpu_ids;
	watch->cpu = alloc_percpu_gfp(struct rt_watch_cpu, GFP_KERNEL_ACCOUNT);
	if (watch->cpu)
		rt_watch_pause_init(watch);
	watch->handles = kvcalloc(watch->room, sizeof(*watch->handles), GFP_KERNEL_ACCOUNT);
	if (watch->cpu && watch->handles &&
	    (!(add->watch.flags & RT_WATCHPOINT_EACH_CPU) || !rt_watch_copies_make(watch)))
		return watch;
	watch_free(watch);
	return NULL;
}

static int watchpoint_prepare(struct rt_event *event, const struct rt_event_add *asked,
			      struct rt_refusal *refusal)
{
	struct rt_event_add chosen, *add = &chosen;
	struct rt_watch *watch;
	int err;

	if (rt_watch_switched_off()) {
		rt_watch_refuse(refusal, RT_REFUSED_SWITCHED_OFF, kind, rt_watch_switched_off());
		return -EOPNOTSUPP;
	}
	if (backend_error) {
		rt_watch_refuse(refusal, RT_REFUSED_NO_STEP, kind, -backend_error);
		return -EOPNOTSUPP;
	}
	chosen = *asked;
	if (add->watch.flags == RT_WATCHPOINT_ONE_CPU && rt_watch_copy_choose(add)) {
		rt_watch_refuse(refusal, RT_REFUSED_TARGET, watch.cpu, 0);
		return -EINVAL;
	}
	err = rt_watch_check(event, add, refusal);
	if (err)
		return err;
	watch = watch_new(event, add);
	if (!watch)
		return -ENOMEM;
	/* One access may hit all watches on its word. */
	event->where = watch->address / sizeof(u64);
	if (watch->user) {
		mutex_lock(&rt_user_watches_lock);
		list_add_tail(&watch->link, &rt_user_watches);
		mutex_unlock(&rt_user_watches_lock);
		event->probe = watch;
		return 0;
	}
	cpus_read_lock();
	mutex_lock(&rt_watches_lock);
	err = rt_watch_take(watch);
	if (err)
		rt_watch_explain(watch, err, refusal);
	else
		list_add_tail(&watch->link, &rt_watches);
	mutex_unlock(&rt_watches_lock);
	cpus_read_unlock();
	if (err)
		watch_free(watch);
	else
		event->probe = watch;
	return err;
}

/* --- arming ---------------------------------------------------------------------- */

static void watchpoint_switch_all(struct rt_watch *watch, bool on)
{
	u32 i;

	watch->armed = on;
	if (on)
		rt_watch_near_add(watch);
	for (i = 0; i < watch->count; i++) {
		if (!watch->handles[i])
			continue;
		if (on)
			rt_watch_backend->enable(watch->handles[i]);
		else
			rt_watch_backend->disable(watch->handles[i]);
	}
}

static void watchpoint_disarm_one(struct rt_watch *watch)
{
	rt_watch_near_remove(watch);
	if (watch->user) {
		rt_watch_tasks_disarm(watch);
		return;
	}
	mutex_lock(&rt_watches_lock);
	if (watch->armed)
		watchpoint_switch_all(watch, false);
	mutex_unlock(&rt_watches_lock);
}

static void watchpoint_disarm(struct list_head *events)
{
	struct rt_event *event;

	list_for_each_entry(event, events, link)
		watchpoint_disarm_one(event->probe);
	/* Handlers run with preemption off. */
	synchronize_rcu();
	list_for_each_entry(event, events, link)
		rt_watch_pause_end(event->probe, NULL);
}

static int watchpoint_arm_one(struct rt_watch *watch, struct rt_refusal *refusal)
{
	int err = 0;

	if (!watch->copies)
		rt_watch_access_start(watch);
	rt_watch_fields_make(&watch->fields, &watch->event->fetch, watch->length);
	if (watch->copies)
		rt_watch_copies_start(watch);
	if (watch->user && !watch->event->channel->targets.tasks) {
		rt_watch_refuse(refusal, RT_REFUSED_NO_TASK, watch.address, watch->event->id);
		return -EINVAL;
	}
	if (!watch->user) {
		mutex_lock(&rt_watches_lock);
		watchpoint_switch_all(watch, true);
		mutex_unlock(&rt_watches_lock);
		return 0;
	}
	rt_watch_near_add(watch);
	err = rt_watch_tasks_arm(watch);
	if (err) {
		mutex_lock(&rt_user_watches_lock);
		rt_watch_explain(watch, err, refusal);
		mutex_unlock(&rt_user_watches_lock);
		watchpoint_disarm_one(watch);
	}
	return err;
}

static int watchpoint_arm(struct list_head *events, struct rt_refusal *refusal)
{
	struct rt_event *event;
	int err = 0;

	list_for_each_entry(event, events, link) {
		err = watchpoint_arm_one(event->probe, refusal);
		if (err)
			break;
	}
	if (!err)
		return 0;
	if (!refusal->reason) {
		refusal->reason = RT_REFUSED_ARMING;
		refusal->detail = event->id;
	}
	watchpoint_disarm(events);
	return err;
}

static void watchpoint_missed(struct rt_event *event, u64 *missed)
{
	struct rt_watch *watch = event->probe;
	u64 handled = 0, unseen = 0, counted, ns = 0;
	u32 i;
	int cpu;

	mutex_lock(lock_of(watch));
	/* Read the kernel's counts first: a hit in between must not count as missed. */
	counted = watch->counted;
	for (i = 0; i < watch->count; i++)
		if (watch->handles[i])
			counted += rt_watch_backend->counted(watch->handles[i]);
	missed[RT_MISSED_UNWATCHED] = watch->unwatched;
	for_each_possible_cpu(cpu) {
		const struct rt_watch_cpu *one = per_cpu_ptr(watch->cpu, cpu);

		handled += READ_ONCE(one->handled);
		rt_watch_pause_count(watch, cpu, &ns, &missed[RT_MISSED_UNWATCHED]);
		unseen += READ_ONCE(one->unseen);
	}
	missed[RT_MISSED_WATCH] = unseen + (counted > handled ? counted - handled : 0);
	mutex_unlock(lock_of(watch));
}

static u64 watchpoint_repeated(struct rt_event *event)
{
	struct rt_watch *watch = event->probe;
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(watch->cpu, cpu)->repeated);
	return sum;
}

static void watchpoint_off(struct rt_event *event, int cpu, u64 *ns, u64 *times)
{
	rt_watch_pause_count(event->probe, cpu, ns, times);
}

static void watchpoint_tell_off(struct rt_event *event, struct rt_anchor_off *off, u32 cpus)
{
	rt_watch_pause_tell(event->probe, off, cpus);
}

static void watchpoint_release(struct list_head *events)
{
	struct rt_event *event;
	struct rt_watch *watch;

	watchpoint_disarm(events);
	list_for_each_entry(event, events, link) {
		watch = event->probe;
		mutex_lock(lock_of(watch));
		list_del_init(&watch->link);
		rt_watch_give_back(watch);
		mutex_unlock(lock_of(watch));
	}
	list_for_each_entry(event, events, link) {
		watch_free(event->probe);
		event->probe = NULL;
	}
}

/* --- CPUs that come and go ------------------------------------------------------- */

static int hotplug_state;

/* A failure here must not keep the CPU offline. */
static int watchpoint_cpu_comes(unsigned int cpu)
{
	struct rt_watch *watch;
	void *handle;
	int err;

	/* If no register is free, attaching fails, too. */
	err = backend_error ? 0 : rt_watch_backend->try_out(cpu);
	mutex_lock(&rt_watches_lock);
	list_for_each_entry(watch, &rt_watches, link) {
		handle = err ? ERR_PTR(err) :
			       rt_watch_backend->attach(rt_watch_on(watch, cpu), cpu, NULL);
		if (IS_ERR(handle)) {
			watch->unwatched++;
			continue;
		}
		watch->handles[cpu] = handle;
		if (watch->armed)
			rt_watch_backend->enable(handle);
	}
	mutex_unlock(&rt_watches_lock);
	return 0;
}

static int watchpoint_cpu_goes(unsigned int cpu)
{
	struct rt_watch *watch;

	mutex_lock(&rt_watches_lock);
	list_for_each_entry(watch, &rt_watches, link) {
		if (!watch->handles[cpu])
			continue;
		watch->counted += rt_watch_backend->counted(watch->handles[cpu]);
		rt_watch_backend->detach(&watch->handles[cpu], 1);
		watch->handles[cpu] = NULL;
	}
	mutex_unlock(&rt_watches_lock);
	return 0;
}

static u64 watchpoint_works(void)
{
	if (!rt_slots_count().watch || backend_error)
		return 0;
	return RT_SOURCE_WATCHPOINT | (RT_COMPAT_WATCH_PROBED ? RT_SOURCE_WATCH_PROBED : 0) |
	       (rt_task_calls_work() ? RT_SOURCE_WATCH_NEWBORN : 0) |
	       (RT_COMPAT_STEPS_KERNEL ? RT_SOURCE_WATCH_EXECUTION : 0);
}

/* On every CPU; the error of one that failed. */
static int try_all(struct rt_try *result)
{
	int cpu, err, worst = 0;

	result->first = -1;
	if (rt_watch_switched_off())
		return -EOPNOTSUPP;
	cpus_read_lock();
	for_each_online_cpu(cpu) {
		err = rt_watch_backend->try_out(cpu);
		/* All registers are in use: this CPU cannot be tested now. */
		if (err == -ENOSPC)
			continue;
		result->tried++;
		if (!err)
			continue;
		if (!result->failed++)
			result->first = cpu;
		worst = err;
	}
	cpus_read_unlock();
	return worst;
}

int rt_watchpoint_call(void __user *argument)
{
	struct rt_try result;
	u32 callers;
	int err;

	err = rt_argument_read(&result, sizeof(result), RT_TRY_SIZE_MIN, argument);
	if (err)
		return err;
	callers = result.size;
	memset(&result, 0, sizeof(result));
	result.size = sizeof(result);
	try_all(&result);
	result.delivery = rt_watch_delivery;
	return rt_argument_write(argument, callers, &result, sizeof(result));
}

int rt_watchpoint_init(void)
{
	struct rt_try result = { 0 };
	int err = rt_watch_decode_open();

	if (err)
		return err;
	rt_watch_backend->init();
	backend_error = try_all(&result);
	hotplug_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ringtail:watch",
						  watchpoint_cpu_comes, watchpoint_cpu_goes);
	if (hotplug_state < 0)
		rt_watch_decode_exit();
	return hotplug_state < 0 ? hotplug_state : 0;
}

void rt_watchpoint_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
	rt_watch_tasks_exit();
	rt_watch_decode_exit();
}

const struct rt_source rt_watchpoint_source = {
	.kind = RT_KIND_WATCHPOINT,
	.carry = RT_CARRY_STACK | RT_CARRY_REGISTERS | RT_CARRY_USER | RT_CARRY_ADDRESS,
	.registers = RT_PORT_REGISTERS,
	.contexts = (1U << RT_CONTEXTS) - 1,
	.lockdown = RT_LOCKDOWN_PERF | RT_LOCKDOWN_READ_KMEM,
	.argument = sizeof(struct rt_watchpoint),
	.crowd = RT_PLACE_EVENTS_MAX,
	.place = RT_PLACE_ACCESS,
	.works = watchpoint_works,
	.prepare = watchpoint_prepare,
	.arm = watchpoint_arm,
	.disarm = watchpoint_disarm,
	.missed = watchpoint_missed,
	.repeated = watchpoint_repeated,
	.off = watchpoint_off,
	.tell_off = watchpoint_tell_off,
	.release = watchpoint_release,
};
