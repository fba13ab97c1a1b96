// SPDX-License-Identifier: GPL-2.0
#include "watch_pause.h"

#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>

#include "compat/hrtimer.h"
#include "kernel/clock.h"
#include "watch.h"

/* A memory image may be taken between the two: a pause is counted when it begins, its time when it ends. */
static void tell(const struct rt_watch_pause *pause)
{
	struct rt_anchor_off *told = pause->told;

	if (!told)
		return;
	WRITE_ONCE(told->times, pause->times);
	WRITE_ONCE(told->ns, pause->ns);
}
NOKPROBE_SYMBOL(tell);

/* Whoever takes the handle out ends the pause.  Pairs with smp_store_release() in rt_watch_pause(). */
static void *take_handle(struct rt_watch_pause *pause)
{
	void *handle = xchg(&pause->handle, NULL);

	if (handle) {
		pause->ns += rt_clock_read() - pause->since;
		tell(pause);
	}
	return handle;
}
NOKPROBE_SYMBOL(take_handle);

/*
 * If the CPU went offline, this runs on another one, and the handle is not active there.  The kernel
 * frees a handle's memory after a grace period, and rt_watch_pause_end() comes before.
 */
static enum hrtimer_restart pause_over(struct hrtimer *timer)
{
	struct rt_watch_pause *pause = container_of(timer, struct rt_watch_pause, end);
	void *handle;

	rcu_read_lock();
	handle = take_handle(pause);
	if (handle)
		rt_watch_backend->resume(handle);
	rcu_read_unlock();
	return HRTIMER_NORESTART;
}

/* A handler must not start a timer: it may have interrupted the holder of the timer's lock. */
static void pause_begin(struct irq_work *work)
{
	struct rt_watch_pause *pause = container_of(work, struct rt_watch_pause, begin);

	hrtimer_start(&pause->end, ns_to_ktime(RT_WATCH_PAUSE_NS), RT_COMPAT_HARD_HERE);
}

void rt_watch_pause(struct rt_watch *watch, void *handle)
{
	struct rt_watch_pause *pause;

	if (watch->whole)
		watch = watch->whole;
	pause = &this_cpu_ptr(watch->cpu)->pause;
	take_handle(pause);
	pause->times++;
	tell(pause);
	pause->since = rt_clock_read();
	/* Whoever takes the handle out sees the time.  Pairs with xchg() in take_handle(). */
	smp_store_release(&pause->handle, handle);
	irq_work_queue(&pause->begin);
}
NOKPROBE_SYMBOL(rt_watch_pause);

void rt_watch_pause_init(struct rt_watch *watch)
{
	struct rt_watch_pause *pause;
	int cpu;

	for_each_possible_cpu(cpu) {
		pause = &per_cpu_ptr(watch->cpu, cpu)->pause;
		rt_compat_hard_work(&pause->begin, pause_begin);
		rt_compat_hard_timer(&pause->end, pause_over);
	}
}

void rt_watch_pause_end(struct rt_watch *watch, void *handle)
{
	struct rt_watch_pause *pause;
	int cpu;

	for_each_possible_cpu(cpu) {
		pause = &per_cpu_ptr(watch->cpu, cpu)->pause;
		if (READ_ONCE(pause->handle) && (!handle || READ_ONCE(pause->handle) == handle))
			take_handle(pause);
	}
}

void rt_watch_pause_exit(struct rt_watch *watch)
{
	struct rt_watch_pause *pause;
	int cpu;

	for_each_possible_cpu(cpu) {
		pause = &per_cpu_ptr(watch->cpu, cpu)->pause;
		irq_work_sync(&pause->begin);
		hrtimer_cancel(&pause->end);
	}
}

void rt_watch_pause_tell(struct rt_watch *watch, struct rt_anchor_off *off, u32 cpus)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if ((u32)cpu < cpus)
			per_cpu_ptr(watch->cpu, cpu)->pause.told = off + cpu;
}

void rt_watch_pause_count(struct rt_watch *watch, int cpu, u64 *ns, u64 *times)
{
	const struct rt_watch_pause *pause = &per_cpu_ptr(watch->cpu, cpu)->pause;
	u64 now = rt_clock_read(), since = READ_ONCE(pause->since);

	*times += READ_ONCE(pause->times);
	*ns += READ_ONCE(pause->ns);
	/* The one under way, so far. */
	if (READ_ONCE(pause->handle) && now > since)
		*ns += now - since;
}
