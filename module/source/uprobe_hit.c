// SPDX-License-Identifier: GPL-2.0
#include <linux/kprobes.h>
#include <linux/mm_types.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>

#include "event/channel.h"
#include "event/event.h"
#include "event/hit.h"
#include "event/target.h"
#include "uprobe_hit.h"

/*
 * The kernel calls the handlers in the task that hit the probe, with preemption on and the task's
 * registers.  They must not sleep although they could: a record is written with preemption off.
 */
static int uprobe_hit(struct uprobe_consumer *self, struct pt_regs *regs RT_COMPAT_UPROBE_DATA)
{
	struct rt_user_probe *probe = container_of(self, struct rt_user_probe, consumer);
	struct rt_hit hit;

	hit.regs = regs;
	hit.ip = instruction_pointer(regs);
	hit.caller = 0;
	hit.top = hit.ip;
	hit.linked = false;
	hit.depth = 0;
	rt_hit_fetch(&hit, probe->event);
	return 0;
}
NOKPROBE_SYMBOL(uprobe_hit);

/* The kernel has already put the return address into the registers. */
static int uretprobe_hit(struct uprobe_consumer *self, unsigned long function,
			 struct pt_regs *regs RT_COMPAT_UPROBE_DATA)
{
	struct rt_user_probe *probe = container_of(self, struct rt_user_probe, consumer);
	struct rt_hit hit;

	hit.regs = regs;
	hit.ip = function;
	hit.caller = instruction_pointer(regs);
	hit.top = hit.caller;
	hit.linked = false;
	hit.depth = 0;
	rt_hit_fetch(&hit, probe->event);
	return 0;
}
NOKPROBE_SYMBOL(uretprobe_hit);

/* The kernel follows only so many calls of a task; it tells nobody about the others, so count them. */
static int uretprobe_enters(struct uprobe_consumer *self,
			    struct pt_regs *regs RT_COMPAT_UPROBE_DATA)
{
	struct rt_user_probe *probe = container_of(self, struct rt_user_probe, consumer);
	const struct rt_channel *channel = probe->event->channel;

	if (likely(!rt_compat_uretprobes_full()) || !READ_ONCE(channel->gate))
		return 0;
	if (!channel->targets.any || rt_target_wants(&channel->targets, RT_LEVEL_TASK))
		atomic64_inc(&probe->too_deep);
	return 0;
}
NOKPROBE_SYMBOL(uretprobe_enters);

/* --- which processes get the breakpoint --------------------------------------------- */

#ifdef CONFIG_MEMCG
static bool process_wanted(const struct rt_targets *targets, struct task_struct *task)
{
	struct task_struct *thread;

	if (targets->agent && task->tgid == targets->agent)
		return false;
	if (!targets->tasks)
		return true;
	for_each_thread(task, thread) if (rt_target_has_task(targets, thread->pid)) return true;
	return false;
}

/*
 * A breakpoint costs also those whose hits are not recorded, so only processes that may have a target
 * get it.  Children get those of their parents.  A process that shares its memory with others gets it,
 * too: the others may be targets.
 */
static bool uprobe_wants(struct uprobe_consumer *self,
			 RT_COMPAT_UPROBE_CONTEXT struct mm_struct *mm)
{
	struct rt_user_probe *probe = container_of(self, struct rt_user_probe, consumer);
	const struct rt_targets *targets = &probe->event->channel->targets;
	struct task_struct *owner;
	bool wanted = true;
	int users;

	if (!targets->any)
		return true;
	rcu_read_lock();
	owner = current->mm == mm ? current : rcu_dereference(mm->owner);
	if (owner) {
		wanted = process_wanted(targets, owner);
		/* If it is another task's memory, the kernel holds it while it asks. */
		users = atomic_read(&mm->mm_users) - (current->mm != mm);
		wanted |= users > get_nr_threads(owner);
	}
	rcu_read_unlock();
	return wanted;
}
#else
/* The kernel does not know whose memory it is: every process that maps the file gets the breakpoint. */
static bool uprobe_wants(struct uprobe_consumer *self,
			 RT_COMPAT_UPROBE_CONTEXT struct mm_struct *mm)
{
	return true;
}
#endif

void rt_user_probe_describe(struct rt_user_probe *probe, bool returns)
{
	probe->consumer.filter = uprobe_wants;
	if (returns) {
		probe->consumer.handler = uretprobe_enters;
		probe->consumer.ret_handler = uretprobe_hit;
	} else {
		probe->consumer.handler = uprobe_hit;
	}
}
