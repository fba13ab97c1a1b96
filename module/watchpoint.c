// SPDX-License-Identifier: GPL-2.0
/*
 * watchpoint.c - the source watchpoint: who touches this memory.
 *
 * A kernel address is watched by a register on every CPU, also on those that come later;
 * they are taken when the event is added, disabled, so that everything that can be refused
 * is refused then.  A user address is watched in the tasks that the session is restricted
 * to (watch_task.c).
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include "event.h"
#include "session.h"
#include "slots.h"
#include "user_side.h"
#include "watch.h"
#include "watch_access.h"
#include "watch_check.h"
#include "watch_decode.h"
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

/* --- registers ------------------------------------------------------------------- */

struct holders {
	u32 ours, theirs, pid;
};

static void count_holders(const struct rt_watch *watch, const struct list_head *watches,
			  bool shared, struct holders *found)
{
	bool execute = watch->access & RT_ACCESS_EXECUTE;
	const struct rt_watch *other;

	list_for_each_entry(other, watches, link) {
		if (!shared && execute != !!(other->access & RT_ACCESS_EXECUTE))
			continue;
		if (other == watch || !other->count)
			continue;
		if (other->event->session == watch->event->session) {
			found->ours++;
		} else {
			found->theirs++;
			found->pid = other->owner;
		}
	}
}

/*
 * Who has them, as far as we can know: our own sessions.  With the lock of the watch's own
 * kind held; the other kind is looked at if nobody is changing it.
 */
static u64 holders(const struct rt_watch *watch)
{
	struct rt_slots slots = rt_slots_count();
	struct holders found = { 0 };

	count_holders(watch, watch->user ? &rt_user_watches : &rt_watches, slots.shared, &found);
	if (mutex_trylock(watch->user ? &rt_watches_lock : &rt_user_watches_lock)) {
		count_holders(watch, watch->user ? &rt_watches : &rt_user_watches, slots.shared,
			      &found);
		mutex_unlock(watch->user ? &rt_watches_lock : &rt_user_watches_lock);
	}
	return (watch->access & RT_ACCESS_EXECUTE ? slots.brk : slots.watch) | found.ours << 8 |
	       found.theirs << 16 | (u64)found.pid << 32;
}

static int explain(const struct rt_watch *watch, int err, struct rt_refusal *refusal)
{
	switch (err) {
	case -ENOSPC:
		rt_watch_refuse(refusal, RT_REFUSED_NO_SLOT, address, holders(watch));
		break;
	case -EPERM:
		rt_watch_refuse(refusal, RT_REFUSED_PRIVILEGE, address, 0);
		break;
	case -EINVAL:
		rt_watch_refuse(refusal, RT_REFUSED_ADDRESS, address, 0);
		break;
	case -EOPNOTSUPP:
		rt_watch_refuse(refusal, RT_REFUSED_NO_STEP, kind, 0);
		break;
	}
	return err;
}

static void give_back(struct rt_watch *watch)
{
	u32 i;

	for (i = 0; i < watch->count; i++)
		if (watch->handles[i])
			watch->counted += rt_watch_backend->counted(watch->handles[i]);
	if (watch->count)
		rt_watch_backend->detach(watch->handles, watch->count);
	memset(watch->handles, 0, watch->count * sizeof(*watch->handles));
	watch->count = 0;
}

/* On all CPUs, or on none.  With the lock and the kernel's hotplug lock held. */
static int take_registers(struct rt_watch *watch)
{
	void *handle;
	int cpu;

	watch->count = nr_cpu_ids;
	for_each_online_cpu(cpu) {
		handle = rt_watch_backend->attach(watch, cpu, NULL);
		if (IS_ERR(handle)) {
			give_back(watch);
			return PTR_ERR(handle);
		}
		watch->handles[cpu] = handle;
	}
	return 0;
}

static void watch_free(struct rt_watch *watch)
{
	free_percpu(watch->cpu);
	kvfree(watch->handles);
	kfree(watch);
}

static struct rt_watch *watch_new(struct rt_event *event, const struct rt_event_add *add)
{
	struct rt_watch *watch = kzalloc(sizeof(*watch), GFP_KERNEL_ACCOUNT);

	if (!watch)
		return NULL;
	INIT_LIST_HEAD(&watch->link);
	watch->event = event;
	watch->address = add->address;
	watch->length = add->length;
	watch->access = add->access;
	watch->rate = add->rate ? add->rate : RT_RATE_DEFAULT;
	watch->user = add->address < TASK_SIZE_MAX;
	watch->shift = add->address % 8 * 8;
	watch->mask = add->length >= 8 ? ~0ULL : (1ULL << 8 * add->length) - 1;
	watch->owner = current->tgid;
	watch->room = nr_cpu_ids;
	watch->cpu = alloc_percpu_gfp(struct rt_watch_cpu, GFP_KERNEL_ACCOUNT);
	watch->handles = kvcalloc(watch->room, sizeof(*watch->handles), GFP_KERNEL_ACCOUNT);
	if (watch->cpu && watch->handles)
		return watch;
	watch_free(watch);
	return NULL;
}

static int prepare(struct rt_event *event, const struct rt_event_add *add,
		   struct rt_refusal *refusal)
{
	struct rt_watch *watch;
	int err;

	if (backend_error) {
		rt_watch_refuse(refusal, RT_REFUSED_NO_STEP, kind, -backend_error);
		return -EOPNOTSUPP;
	}
	err = rt_watch_check(event, add, refusal);
	if (err)
		return err;
	watch = watch_new(event, add);
	if (!watch)
		return -ENOMEM;
	if (watch->user) {
		mutex_lock(&rt_user_watches_lock);
		list_add_tail(&watch->link, &rt_user_watches);
		mutex_unlock(&rt_user_watches_lock);
		event->probe = watch;
		return 0;
	}
	cpus_read_lock();
	mutex_lock(&rt_watches_lock);
	err = take_registers(watch);
	if (err)
		explain(watch, err, refusal);
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

static void switch_all(struct rt_watch *watch, bool on)
{
	u32 i;

	watch->armed = on;
	for (i = 0; i < watch->count; i++) {
		if (!watch->handles[i])
			continue;
		if (on)
			rt_watch_backend->enable(watch->handles[i]);
		else
			rt_watch_backend->disable(watch->handles[i]);
	}
}

static void disarm_one(struct rt_watch *watch)
{
	if (!watch->armed)
		return;
	switch_all(watch, false);
	if (!watch->user)
		return;
	rt_watch_tasks_disarm(watch);
	give_back(watch);
}

static void disarm(struct list_head *events)
{
	struct rt_event *event;
	struct rt_watch *watch;

	list_for_each_entry(event, events, link) {
		watch = event->probe;
		mutex_lock(lock_of(watch));
		disarm_one(watch);
		mutex_unlock(lock_of(watch));
	}
	/* Handlers run with preemption off. */
	synchronize_rcu();
}

static int arm_one(struct rt_watch *watch, struct rt_refusal *refusal)
{
	int err = 0;

	rt_watch_access_start(watch);
	rt_watch_fields_make(&watch->fields, &watch->event->fetch, watch->length);
	if (watch->user && !watch->event->session->targets.tasks) {
		rt_watch_refuse(refusal, RT_REFUSED_NO_TASK, address, watch->event->id);
		return -EINVAL;
	}
	if (watch->user)
		err = rt_watch_tasks_arm(watch);
	if (err) {
		explain(watch, err, refusal);
		give_back(watch);
		return err;
	}
	switch_all(watch, true);
	return 0;
}

static int arm(struct list_head *events, struct rt_refusal *refusal)
{
	struct rt_event *event;
	struct rt_watch *watch;
	int err = 0;

	list_for_each_entry(event, events, link) {
		watch = event->probe;
		mutex_lock(lock_of(watch));
		err = arm_one(watch, refusal);
		mutex_unlock(lock_of(watch));
		if (err)
			break;
	}
	if (!err)
		return 0;
	if (!refusal->reason) {
		refusal->reason = RT_REFUSED_ARMING;
		refusal->detail = event->id;
	}
	disarm(events);
	return err;
}

static void missed(struct rt_event *event, u64 *missed)
{
	struct rt_watch *watch = event->probe;
	u64 handled = 0, counted;
	u32 i;
	int cpu;

	mutex_lock(lock_of(watch));
	/* Ours first: what comes in between is not taken for missed. */
	counted = watch->counted;
	for (i = 0; i < watch->count; i++)
		if (watch->handles[i])
			counted += rt_watch_backend->counted(watch->handles[i]);
	missed[RT_MISSED_UNWATCHED] = watch->unwatched;
	for_each_possible_cpu(cpu) {
		handled += READ_ONCE(per_cpu_ptr(watch->cpu, cpu)->handled);
		missed[RT_MISSED_UNWATCHED] += READ_ONCE(per_cpu_ptr(watch->cpu, cpu)->stuck);
	}
	missed[RT_MISSED_WATCH] = counted > handled ? counted - handled : 0;
	mutex_unlock(lock_of(watch));
}

static void release(struct list_head *events)
{
	struct rt_event *event;
	struct rt_watch *watch;

	disarm(events);
	list_for_each_entry(event, events, link) {
		watch = event->probe;
		mutex_lock(lock_of(watch));
		list_del_init(&watch->link);
		give_back(watch);
		mutex_unlock(lock_of(watch));
	}
	list_for_each_entry(event, events, link) {
		watch_free(event->probe);
		event->probe = NULL;
	}
}

/* --- CPUs that come and go ------------------------------------------------------- */

static int hotplug_state;

/* No failure of ours keeps a CPU from coming. */
static int cpu_comes(unsigned int cpu)
{
	struct rt_watch *watch;
	void *handle;

	mutex_lock(&rt_watches_lock);
	list_for_each_entry(watch, &rt_watches, link) {
		handle = rt_watch_backend->attach(watch, cpu, NULL);
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

static int cpu_goes(unsigned int cpu)
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

bool rt_watchpoint_works(void)
{
	return !backend_error;
}

int rt_watchpoint_init(void)
{
	rt_watch_decode_init();
	cpus_read_lock();
	backend_error = rt_watch_backend->init();
	cpus_read_unlock();
	hotplug_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "ringtail:watch", cpu_comes,
						  cpu_goes);
	return hotplug_state < 0 ? hotplug_state : 0;
}

void rt_watchpoint_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug_state);
	rt_watch_tasks_exit();
}

const struct rt_source rt_watchpoint_source = {
	.kind = RT_KIND_WATCHPOINT,
	.carry = RT_CARRY_STACK | RT_CARRY_REGISTERS | RT_CARRY_USER,
	.registers = RT_PORT_REGISTERS,
	.contexts = (1U << RT_CONTEXTS) - 1,
	.lockdown = RT_LOCKDOWN_PERF | RT_LOCKDOWN_READ_KMEM,
	.sees_agent = true,
	.prepare = prepare,
	.arm = arm,
	.disarm = disarm,
	.missed = missed,
	.release = release,
};
