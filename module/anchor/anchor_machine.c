// SPDX-License-Identifier: GPL-2.0
/*
 * anchor_machine.c - what an anchor says about the machine: where its tasks are, and when it failed.
 *
 * Nothing here runs while events are recorded.  The tasks' names are read from the image itself, so
 * they cost nothing before the machine dies.
 */
#include <linux/cpumask.h>
#include <linux/io.h>
#include <linux/kdebug.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/utsname.h>

#include "compat/panic.h"
#include "compat/task.h"
#include "anchor_keeper.h"
#include "kernel/clock.h"

static void describe_tasks(struct rt_anchor_machine *machine)
{
	machine->tid = offsetof(struct task_struct, pid);
	machine->tgid = offsetof(struct task_struct, tgid);
	machine->comm = offsetof(struct task_struct, comm);
	machine->tasks = offsetof(struct task_struct, tasks);
	machine->signal = offsetof(struct task_struct, signal);
	machine->threads = rt_compat_threads_link;
	machine->threads_head = rt_compat_threads_head;
	machine->first_task = __pa_symbol(&init_task);
	machine->first_task_virt = (unsigned long)&init_task;
}

void rt_anchor_describe_machine(struct rt_anchor_machine *machine)
{
	struct sysinfo memory;

	si_meminfo(&memory);
	machine->bytes = sizeof(*machine);
	machine->cpus_possible = num_possible_cpus();
	machine->cpus_online = num_online_cpus();
	machine->memory = (u64)memory.totalram * memory.mem_unit;
	/* A task is in the direct map; the anchor may be elsewhere. */
	machine->linear = (unsigned long)current - (u64)virt_to_phys(current);
	strscpy(machine->nodename, init_utsname()->nodename, sizeof(machine->nodename));
	describe_tasks(machine);
}

/* In any context, on a machine that may do nothing more. */
static void set_mark(struct rt_anchor_mark *mark, const char *text)
{
	WRITE_ONCE(mark->time, 0);
	smp_wmb(); /* a reader must not combine an old time with new text */
	strscpy(mark->text, text ?: "", sizeof(mark->text));
	mark->cpu = raw_smp_processor_id();
	mark->tid = current->pid;
	smp_wmb(); /* a mark with its time is complete */
	WRITE_ONCE(mark->time, rt_clock_read());
}

static int on_oops(struct notifier_block *block, unsigned long what, void *data)
{
	struct rt_anchor_keeper *keeper = container_of(block, struct rt_anchor_keeper, on_oops);
	const struct die_args *args = data;

	if (what == DIE_OOPS)
		set_mark(&keeper->machine->oops, args->str);
	return NOTIFY_DONE;
}

static int on_panic(struct notifier_block *block, unsigned long what, void *text)
{
	struct rt_anchor_keeper *keeper = container_of(block, struct rt_anchor_keeper, on_panic);

	set_mark(&keeper->machine->panic, text);
	return NOTIFY_DONE;
}

void rt_anchor_watch_failures(struct rt_anchor_keeper *keeper)
{
	/* Before others: some of them stop the machine. */
	keeper->on_panic.priority = INT_MAX;
	keeper->on_panic.notifier_call = on_panic;
	keeper->on_oops.notifier_call = on_oops;
	register_die_notifier(&keeper->on_oops);
	atomic_notifier_chain_register(&panic_notifier_list, &keeper->on_panic);
}

void rt_anchor_forget_failures(struct rt_anchor_keeper *keeper)
{
	atomic_notifier_chain_unregister(&panic_notifier_list, &keeper->on_panic);
	unregister_die_notifier(&keeper->on_oops);
}
