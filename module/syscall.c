// SPDX-License-Identifier: GPL-2.0
/*
 * syscall.c - the sources syscall enter and exit: the events of tracefs' system "syscalls".
 *
 * They are no tracepoints.  The kernel has one for every system call's beginning and one
 * for its end, and so have we: one probe a session and a table by number, so that all of
 * them together cost a hit no more than one of them.  What is recorded is up to the fetch
 * program, which sees the registers of the task.
 */
#include <linux/compat.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include <asm/syscall.h>
#include <trace/syscall.h>

#include "compat/trace_events.h"
#include "event.h"
#include "hit.h"
#include "probe_name.h"
#include "tracepoint.h"
#include "user_side.h"

struct table {
	struct rt_event *first[RT_SYSCALLS_MAX];
};

struct probe {
	u32 number;
	struct rt_event *next; /* of the same number in the table */
	struct table *table;   /* NULL: not armed; one for all events of the session */
};

/* --- hits ------------------------------------------------------------------------ */

static __always_inline void hits(const struct table *table, struct pt_regs *regs, long number)
{
	struct rt_event *event;
	struct rt_hit hit;

	/* The numbers of 32-bit tasks mean other calls: raw_syscalls shows them. */
	if (number < 0 || number >= RT_SYSCALLS_MAX || in_compat_syscall())
		return;
	for (event = table->first[number]; event; event = ((struct probe *)event->probe)->next) {
		/* The stack begins here, in the kernel; the values are those of the task. */
		hit.ip = number;
		hit.caller = 0;
		hit.top = 0;
		hit.entry = false;
		hit.depth = RT_TRACEPOINT_SYSCALL_DEPTH;
		rt_hit_fetch_from(&hit, event, regs);
	}
}

static notrace void on_enter(void *table, struct pt_regs *regs, long number)
{
	hits(table, regs, number);
}
NOKPROBE_SYMBOL(on_enter);

static notrace void on_exit(void *table, struct pt_regs *regs, long ret)
{
	hits(table, regs, syscall_get_nr(current, regs));
}
NOKPROBE_SYMBOL(on_exit);

/* --- adding ---------------------------------------------------------------------- */

static const char *prefix_of(const struct rt_event *event)
{
	return event->source == &rt_syscall_enter_source ? "sys_enter_" : "sys_exit_";
}

/* The number of the system call NAME, as the kernel itself has it. */
static int number_of(const char *name)
{
	struct trace_event_file *file = trace_get_event_file(NULL, "syscalls", name);
	const struct syscall_metadata *call;
	int number;

	if (IS_ERR(file))
		return PTR_ERR(file) == -EOPNOTSUPP ? -EOPNOTSUPP : -ENOENT;
	call = file->event_call->data;
	number = call->syscall_nr;
	trace_put_event_file(file);
	return number < 0 ? -ENOENT : number;
}

static int resolve(const struct rt_event *event, const struct rt_event_add *add,
		   struct rt_refusal *refusal)
{
	struct rt_probe_name name;
	int number;

	refusal->field = offsetof(struct rt_event_add, name);
	number = rt_probe_name_take(&name, add, refusal);
	if (number)
		return number;
	if (!name.text) {
		refusal->field = offsetof(struct rt_event_add, address);
		number = min_t(u64, add->address, RT_SYSCALLS_MAX);
	} else if (name.prefix || add->address || !strstarts(name.text, prefix_of(event))) {
		refusal->reason = RT_REFUSED_NAME;
		number = -EINVAL;
	} else {
		number = number_of(name.text);
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

static int prepare(struct rt_event *event, const struct rt_event_add *add,
		   struct rt_refusal *refusal)
{
	struct probe *probe;
	int number;

	number = resolve(event, add, refusal);
	if (number < 0)
		return number;
	probe = kzalloc(sizeof(*probe), GFP_KERNEL_ACCOUNT);
	if (!probe)
		return -ENOMEM;
	refusal->field = 0;
	probe->number = number;
	event->probe = probe;
	return 0;
}

/* --- arming ---------------------------------------------------------------------- */

static struct rt_event *any_of(struct list_head *events)
{
	return list_first_entry(events, struct rt_event, link);
}

static struct rt_hook hook_of(const struct rt_event *event)
{
	struct rt_hook enter = { "sys_enter", on_enter }, exit = { "sys_exit", on_exit };

	return event->source == &rt_syscall_enter_source ? enter : exit;
}

static void disarm(struct list_head *events)
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

/* In the order in which they were added. */
static struct table *make_table(struct list_head *events)
{
	struct table *table = kvzalloc(sizeof(*table), GFP_KERNEL_ACCOUNT);
	struct rt_event *event, **at;
	struct probe *probe;

	if (!table)
		return NULL;
	list_for_each_entry(event, events, link) {
		probe = event->probe;
		probe->next = NULL;
		probe->table = table;
		for (at = &table->first[probe->number]; *at;
		     at = &((struct probe *)(*at)->probe)->next)
			;
		*at = event;
	}
	return table;
}

static int arm(struct list_head *events, struct rt_refusal *refusal)
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

static void release(struct list_head *events)
{
	struct rt_event *event;

	disarm(events);
	list_for_each_entry(event, events, link) {
		kfree(event->probe);
		event->probe = NULL;
	}
}

#define SOURCE(which)                                                                             \
	{                                                                                         \
		.kind = which, .carry = RT_CARRY_STACK | RT_CARRY_USER,                           \
		.registers = RT_PORT_REGISTERS,                                                   \
		.contexts = 1U << RT_CONTEXT_PID | 1U << RT_CONTEXT_TID | 1U << RT_CONTEXT_CPU |  \
			    1U << RT_CONTEXT_PRIO | 1U << RT_CONTEXT_LEVEL | 1U << RT_CONTEXT_IP, \
		.lockdown = RT_LOCKDOWN_TRACEFS | RT_LOCKDOWN_READ_KMEM, .prepare = prepare,      \
		.arm = arm, .disarm = disarm, .release = release,                                 \
	}

const struct rt_source rt_syscall_enter_source = SOURCE(RT_KIND_SYSCALL_ENTER);
const struct rt_source rt_syscall_exit_source = SOURCE(RT_KIND_SYSCALL_EXIT);
