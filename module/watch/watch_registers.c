// SPDX-License-Identifier: GPL-2.0
#include "watch_registers.h"

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/string.h>

#include "event/event.h"
#include "kernel/slots.h"
#include "watch.h"
#include "watch_check.h"
#include "watch_copies.h"

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
		if (other->event->channel == watch->event->channel) {
			found->ours++;
		} else {
			found->theirs++;
			found->pid = other->owner;
		}
	}
}

/*
 * The sessions that hold registers; users other than ringtail are not known.  Call with the lock of
 * the watch's own kind held; the other kind is included only if its lock is free.
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

int rt_watch_explain(const struct rt_watch *watch, int err, struct rt_refusal *refusal)
{
	switch (err) {
	case -ENOSPC:
		rt_watch_refuse(refusal, RT_REFUSED_NO_SLOT, watch.address, holders(watch));
		break;
	case -EPERM:
		rt_watch_refuse(refusal, RT_REFUSED_PRIVILEGE, watch.address, 0);
		break;
	case -EINVAL:
		rt_watch_refuse(refusal, RT_REFUSED_ADDRESS, watch.address, 0);
		break;
	case -EOPNOTSUPP:
		rt_watch_refuse(refusal, RT_REFUSED_NO_STEP, kind, 0);
		break;
	}
	return err;
}

void rt_watch_give_back(struct rt_watch *watch)
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

int rt_watch_take(struct rt_watch *watch)
{
	void *handle;
	int cpu;

	watch->count = nr_cpu_ids;
	for_each_online_cpu(cpu) {
		handle = rt_watch_backend->attach(rt_watch_on(watch, cpu), cpu, NULL);
		if (IS_ERR(handle)) {
			rt_watch_give_back(watch);
			return PTR_ERR(handle);
		}
		watch->handles[cpu] = handle;
	}
	return 0;
}
