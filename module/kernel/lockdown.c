// SPDX-License-Identifier: GPL-2.0
#include <linux/compiler.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/security.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#include <uapi/ringtail.h>

#include "lockdown.h"

static const struct {
	enum lockdown_reason reason;
	u32 bit;
} reasons[] = {
	{ LOCKDOWN_KPROBES, RT_LOCKDOWN_KPROBES },
	{ LOCKDOWN_PERF, RT_LOCKDOWN_PERF },
	{ LOCKDOWN_BPF_READ_KERNEL, RT_LOCKDOWN_READ_KMEM },
	{ LOCKDOWN_TRACEFS, RT_LOCKDOWN_TRACEFS },
};

u32 rt_lockdown_refused(void)
{
	u32 refused = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reasons); i++)
		if (security_locked_down(reasons[i].reason))
			refused |= reasons[i].bit;
	return refused;
}

/* --- while a session records ------------------------------------------------------- */

#define LOOK_AGAIN HZ

static bool raised;

#ifdef CONFIG_SECURITY_LOCKDOWN_LSM

static void look(struct work_struct *work);
static DECLARE_DELAYED_WORK(looking, look);

/*
 * In a worker, because the security modules may sleep, and because some answer for the running task, which
 * in a handler is any task.  Lockdown is not lowered again, so the work ends when it is raised.
 */
static void look(struct work_struct *work)
{
	if (security_locked_down(LOCKDOWN_PERF))
		WRITE_ONCE(raised, true);
	else
		schedule_delayed_work(&looking, round_jiffies_relative(LOOK_AGAIN));
}

void rt_lockdown_watch(void)
{
	WRITE_ONCE(raised, false);
	schedule_delayed_work(&looking, round_jiffies_relative(LOOK_AGAIN));
}

void rt_lockdown_unwatch(void)
{
	cancel_delayed_work_sync(&looking);
}

#else

void rt_lockdown_watch(void)
{
}

void rt_lockdown_unwatch(void)
{
}

#endif

bool rt_lockdown_raised(void)
{
	return READ_ONCE(raised);
}
