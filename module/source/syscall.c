// SPDX-License-Identifier: GPL-2.0
/*
 * syscall.c - the sources syscall enter and exit: the events of tracefs' system "syscalls".
 *
 * These events are not tracepoints.  The kernel has one tracepoint for the entry of all system calls
 * and one for their exit.  Each session has one probe on each of them and a table by number, so that
 * many events cost a hit no more than one.  The fetch program sees the registers of the task.
 */
#include <linux/compat.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <asm/syscall.h>

#include "compat/trace_events.h"
#include "compat/tracepoint_find.h"
#include "event/event.h"
#include "event/hit.h"
#include "event/place.h"
#include "event/probe_name.h"
#include "event/user_side.h"
#include "kernel/hook.h"
#include "syscall.h"

struct table {
	struct rt_event *first[RT_SYSCALLS_MAX];
	struct rt_event *last[RT_SYSCALLS_MAX]; /* the end of each list, while the table is made */
};

struct probe {
	u32 number;
	struct rt_event *next; /* of the same number in the table */
	struct table *table;   /* NULL: not armed; one for all events of the session */
};

/* --- hits ------------------------------------------------------------------------ */

static __always_inline void syscall_hits(const struct table *table, struct pt_regs *regs,
					 long number)
{
	struct rt_event *event;
	struct rt_hit hit;

	/* The numbers of 32-bit tasks mean other calls; record those with raw_syscalls. */
	if (number < 0 || number >= RT_SYSCALLS_MAX || in_compat_syscall())
		return;
	for (event = table->first[number]; event; event = ((struct probe *)event->probe)->next) {
		/* The stack begins here, in the kernel; the registers are those of the task. */
		hit.ip = number;
		hit.caller = 0;
		hit.top = 0;
		hit.linked = false;
		hit.depth = RT_TRACEPOINT_SYSCALL_DEPTH;
		rt_hit_fetch_from(&hit, event, regs);
	}
}

static notrace void syscall_on_enter(void *table, struct pt_regs *regs, long number)
{
	syscall_hits(table, regs, number);
}
NOKPROBE_SYMBOL(syscall_on_enter);

static notrace void syscall_on_exit(void *table, struct pt_regs *regs, long ret)
{
	syscall_hits(table, regs, syscall_get_nr(current, regs));
}
NOKPROBE_SYMBOL(syscall_on_exit);

/* --- adding ---------------------------------------------------------------------- */

static const char *prefix_of(const struct rt_event *event)
{
	return event->source == &rt_syscall_enter_source ? "sys_enter_" : "sys_exit_";
}

static int syscall_resolve(const struct rt_event *event, const struct rt_event_add *add,
			   struct rt_refusal *refusal)
{
	struct rt_probe_name name;
	int number;

	refusal->field = offsetof(struct rt_event_add, name);
	number = rt_probe_name_take(&name, add, refusal);
	if (number)
		return number;
	if (!name.text) {
		refusal->field = offsetof(struct rt_event_add, syscall.number);
		number = min_t(u32, add->syscall.number, RT_SYSCALLS_MAX);
	} else if (name.prefix || add->syscall.number || !strstarts(name.text, prefix_of(event))) {
		refusal->reason = RT_REFUSED_NAME;
		number = -EINVAL;
	} else {
		number = rt_compat_syscall_number(name.text);
		refusal->reason = number == -ENOENT	? RT_REFUSED_NO_TRACEPOINT :
				  number == -EOPNOTSUPP ? RT_REFUSED_NOT_NATIVE :
							  0;
	}
	if (number >= RT_SYSCALLS_MAX) {
		refusal->reason = RT_REFUSED_TOO_MANY;
		refusal->detail = RT_SYSCALLS_MAX;
		number = -EINVAL;
	}
	rt_probe_name_free(&name);
	return number;
}

static int syscall_prepare(struct rt_event *event, const struct rt_event_add *add,
			   struct rt_refusal *refusal)
{
	struct probe *probe;
	int number;

	number = syscall_resolve(event, add, refusal);
	if (number < 0)
		return number;
	probe = kzalloc(sizeof(*probe), GFP_KERNEL_ACCOUNT);
	if (!probe)
		return -ENOMEM;
	refusal->field = 0;
	probe->number = number;
	event->probe = probe;
	event->where = number;
	return 0;
}

/* --- arming ---------------------------------------------------------------------- */

static struct rt_event *any_of(struct list_head *events)
{
	return list_first_entry(events, struct rt_event, link);
}

static struct rt_hook hook_of(const struct rt_event *event)
{
	struct rt_hook enter = { "sys_enter", syscall_on_enter },
		       exit = { "sys_exit", syscall_on_exit };

	return event->source == &rt_syscall_enter_source ? enter : exit;
}

static void syscall_disarm(struct list_head *events)
{
	struct rt_hook hook = hook_of(any_of(events));
	struct probe *probe = any_of(events)->probe;
	struct table *table = probe->table;
	struct rt_event *event;

	if (!table)
		return;
	tracepoint_probe_unregister(rt_tracepoint_find(hook.name), hook.function, table);
	tracepoint_synchronize_unregister();
	list_for_each_entry(event, events, link) {
		probe = event->probe;
		probe->table = NULL;
	}
	kvfree(table);
}

/* Events of one number are called in the order in which they were added. */
static struct table *make_table(struct list_head *events)
{
	struct table *table = kvzalloc(sizeof(*table), GFP_KERNEL_ACCOUNT);
	struct rt_event *event, *last;
	struct probe *probe;

	if (!table)
		return NULL;
	list_for_each_entry(event, events, link) {
		probe = event->probe;
		probe->next = NULL;
		probe->table = table;
		last = table->last[probe->number];
		if (last)
			((struct probe *)last->probe)->next = event;
		else
			table->first[probe->number] = event;
		table->last[probe->number] = event;
		cond_resched();
	}
	return table;
}

static int syscall_arm(struct list_head *events, struct rt_refusal *refusal)
{
	struct rt_hook hook = hook_of(any_of(events));
	struct tracepoint *tracepoint = rt_tracepoint_find(hook.name);
	struct rt_event *event;
	struct table *table;
	int err;

	refusal->reason = RT_REFUSED_ARMING;
	refusal->detail = any_of(events)->id;
	if (!tracepoint)
		return -ENOENT;
	table = make_table(events);
	if (!table)
		return -ENOMEM;
	err = tracepoint_probe_register(tracepoint, hook.function, table);
	if (err) {
		list_for_each_entry(event, events, link)
			((struct probe *)event->probe)->table = NULL;
		kvfree(table);
		return err;
	}
	refusal->reason = 0;
	refusal->detail = 0;
	return 0;
}

static void syscall_release(struct list_head *events)
{
	struct rt_event *event;

	syscall_disarm(events);
	list_for_each_entry(event, events, link) {
		kfree(event->probe);
		event->probe = NULL;
	}
}

#define SOURCE(which, where)                                                                      \
	{                                                                                         \
		.kind = which, .carry = RT_CARRY_STACK | RT_CARRY_USER,                           \
		.registers = RT_PORT_REGISTERS,                                                   \
		.contexts = 1U << RT_CONTEXT_PID | 1U << RT_CONTEXT_TID | 1U << RT_CONTEXT_CPU |  \
			    1U << RT_CONTEXT_PRIO | 1U << RT_CONTEXT_LEVEL | 1U << RT_CONTEXT_IP, \
		.lockdown = RT_LOCKDOWN_TRACEFS | RT_LOCKDOWN_READ_KMEM,                          \
		.argument = sizeof(struct rt_syscall), .crowd = RT_EVENTS_MAX, .place = where,    \
		.prepare = syscall_prepare, .arm = syscall_arm, .disarm = syscall_disarm,         \
		.release = syscall_release,                                                       \
	}

const struct rt_source rt_syscall_enter_source =
	SOURCE(RT_KIND_SYSCALL_ENTER, RT_PLACE_SYSCALL_ENTER);
const struct rt_source rt_syscall_exit_source = SOURCE(RT_KIND_SYSCALL_EXIT, RT_PLACE_SYSCALL_EXIT);
