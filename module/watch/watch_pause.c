// SPDX-License-Identifier: GPL-2.0
/*
 * watch_pause.c - registers that were given up because an access could not complete while they were
 * armed.  The access completes without them soon; then a worker enables them again.
 */
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/workqueue.h>

#include "watch.h"

/* Far longer than any loop of exclusives takes, and rare enough to cost little. */
#define PAUSE_MS 20

static void resume_some(struct list_head *watches, struct mutex *lock)
{
	struct rt_watch *watch;
	u32 i;

	mutex_lock(lock);
	list_for_each_entry(watch, watches, link) {
		if (!READ_ONCE(watch->paused))
			continue;
		WRITE_ONCE(watch->paused, false);
		for (i = 0; i < watch->count; i++)
			if (watch->handles[i])
				rt_watch_backend->resume(watch->handles[i]);
	}
	mutex_unlock(lock);
}

static void pause_resume(struct work_struct *unused)
{
	resume_some(&rt_watches, &rt_watches_lock);
	resume_some(&rt_user_watches, &rt_user_watches_lock);
}

static DECLARE_DELAYED_WORK(resume_work, pause_resume);

/* A handler must not start a timer: it may have interrupted the holder of the timer's lock. */
static void pause_start(struct irq_work *unused)
{
	schedule_delayed_work(&resume_work, msecs_to_jiffies(PAUSE_MS));
}

static DEFINE_PER_CPU(struct irq_work, kick);

void rt_watch_pause(struct rt_watch *watch)
{
	this_cpu_ptr(watch->cpu)->stuck++;
	WRITE_ONCE(watch->paused, true);
	irq_work_queue(this_cpu_ptr(&kick));
}
NOKPROBE_SYMBOL(rt_watch_pause);

void rt_watch_pause_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		init_irq_work(per_cpu_ptr(&kick, cpu), pause_start);
}

void rt_watch_pause_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(per_cpu_ptr(&kick, cpu));
	cancel_delayed_work_sync(&resume_work);
}
