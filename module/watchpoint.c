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
#include <linux/hardirq.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/slab.h>

#include "event.h"
#include "hit.h"
#include "rings.h"
#include "session.h"
#include "slots.h"
#include "watch.h"
#include "watch_access.h"
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

/* --- hits ------------------------------------------------------------------------ */

/* What the way to our handler has added to preempt_count(). */
static __always_inline u32 depth_of(const struct pt_regs *regs)
{
#ifdef CONFIG_X86
	/* The trap counts as an NMI, unless it came from user code. */
	return user_mode((struct pt_regs *)regs) ? 0 : NMI_OFFSET + HARDIRQ_OFFSET;
#else
	return PREEMPT_DISABLE_OFFSET;
#endif
}

/* Whether this second has had its share. */
static bool over_rate(const struct rt_watch *watch, struct rt_watch_cpu *mine)
{
	u64 now = jiffies;

	if (now - mine->window >= HZ) {
		mine->window = now;
		mine->hits = 0;
	}
	if (mine->hits >= watch->rate)
		return true;
	mine->hits++;
	return false;
}
NOKPROBE_SYMBOL(over_rate);

/* The accesses are looked at, and their values kept, also where none is recorded. */
static void record(struct rt_watch *watch, struct pt_regs *regs, struct rt_access *access)
{
	struct rt_event *event = watch->event;
	struct rt_hit hit;

	hit.regs = regs;
	hit.ip = access->ip;
	hit.caller = access->ip;
	hit.top = access->ip;
	hit.entry = false;
	hit.depth = depth_of(regs);
	hit.context.old_value = access->old;
	hit.context.new_value = access->new;
	hit.context.addr = access->addr;
	hit.context.rw = access->rw;
	hit.context.watch = access->flags;
	if (!rt_hit_begin(&hit, event)) {
		rt_watch_access_end(watch, access);
		return;
	}
	if (!rt_hit_reserve(&hit,
			    event->fetch.insns ? rt_fetch_size(&event->fetch, &hit.context) : 0)) {
		rt_watch_access_end(watch, access);
		return;
	}
	/* As late as can be: whoever comes now comes after us. */
	rt_watch_access_end(watch, access);
	hit.context.watch = access->flags;
	if (event->fetch.insns)
		rt_fetch_run(&event->fetch, &hit.context, hit.fields, hit.size);
	rt_hit_commit(&hit);
}
NOKPROBE_SYMBOL(record);

bool rt_watch_hit(struct rt_watch *watch, struct pt_regs *regs, u64 trigger)
{
	struct rt_watch_cpu *mine = this_cpu_ptr(watch->cpu);
	struct rt_access access;

	mine->handled++;
	rt_watch_access_begin(watch, regs, trigger, &access);
	if (access.same) {
		rt_watch_access_end(watch, &access);
	} else if (over_rate(watch, mine)) {
		rt_watch_access_end(watch, &access);
		rt_hit_lose(watch->event, RT_LOST_THROTTLED);
	} else {
		record(watch, regs, &access);
	}
	if (access.stuck)
		mine->stuck++;
	return !access.stuck;
}
NOKPROBE_SYMBOL(rt_watch_hit);

/* --- what can be watched --------------------------------------------------------- */

#define refuse(refusal, why, member, what)                                \
	do {                                                              \
		(refusal)->reason = (why);                                \
		(refusal)->field = offsetof(struct rt_event_add, member); \
		(refusal)->detail = (what);                               \
	} while (0)

#ifdef CONFIG_ARM64
/* Any run of bytes within a doubleword. */
static u32 wanted_alignment(const struct rt_event_add *add)
{
	return add->length == 8 || add->address % 8 + add->length > 8 ? 8 : 1;
}

#define ACCESS_KINDS	  (RT_ACCESS_READ | RT_ACCESS_WRITE | RT_ACCESS_EXECUTE)
#define EXECUTE_ALIGNMENT 4
#else
static u32 wanted_alignment(const struct rt_event_add *add)
{
	return add->length;
}

#define ACCESS_KINDS	  (RT_ACCESS_WRITE | RT_ACCESS_EXECUTE)
#define EXECUTE_ALIGNMENT 1
#endif

static bool length_works(u32 length)
{
	if (IS_ENABLED(CONFIG_ARM64))
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

/* What our handlers write: a hit there would be a hit in every hit. */
static bool is_ours(const struct rt_event *event, u64 from, u64 to)
{
	struct rt_event_set *set = &event->session->events;
	u64 at;
	u32 i;
	int cpu;

	if (within_module(from, THIS_MODULE) || within_module(to - 1, THIS_MODULE) ||
	    rt_rings_own(from, to))
		return true;
	for_each_possible_cpu(cpu) {
		for (i = 0; i < set->count; i++) {
			at = (unsigned long)per_cpu_ptr(set->by_id[i]->count, cpu);
			if (from < at + sizeof(struct rt_event_count) && to > at)
				return true;
		}
	}
	return false;
}

static int check(const struct rt_event *event, const struct rt_event_add *add,
		 struct rt_refusal *refusal)
{
	bool execute = add->access & RT_ACCESS_EXECUTE;
	u32 alignment = execute ? EXECUTE_ALIGNMENT : wanted_alignment(add);

	if (backend_error) {
		refuse(refusal, RT_REFUSED_NO_STEP, kind, -backend_error);
		return -EOPNOTSUPP;
	}
	if (add->name || add->reserved) {
		refuse(refusal, RT_REFUSED_NAME, name, 0);
		return -EINVAL;
	}
	if (!access_works(add->access)) {
		refuse(refusal, RT_REFUSED_ACCESS, access, ACCESS_KINDS);
		return -EINVAL;
	}
	if (!execute && !length_works(add->length)) {
		refuse(refusal, RT_REFUSED_LENGTH_WATCH, length, 0);
		return -EINVAL;
	}
	if (add->address % alignment) {
		refuse(refusal, RT_REFUSED_ALIGNMENT, address, alignment);
		return -EINVAL;
	}
	if (!execute && is_ours(event, add->address, add->address + add->length)) {
		refuse(refusal, RT_REFUSED_OWN_MEMORY, address, 0);
		return -EBUSY;
	}
	return 0;
}

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
		refuse(refusal, RT_REFUSED_NO_SLOT, address, holders(watch));
		break;
	case -EPERM:
		refuse(refusal, RT_REFUSED_PRIVILEGE, address, 0);
		break;
	case -EINVAL:
		refuse(refusal, RT_REFUSED_ADDRESS, address, 0);
		break;
	case -EOPNOTSUPP:
		refuse(refusal, RT_REFUSED_NO_STEP, kind, 0);
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

	err = check(event, add, refusal);
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
	if (watch->user && !watch->event->session->targets.tasks) {
		refuse(refusal, RT_REFUSED_NO_TASK, address, watch->event->id);
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
	.carry = RT_CARRY_STACK | RT_CARRY_REGISTERS,
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
