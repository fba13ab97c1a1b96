// SPDX-License-Identifier: GPL-2.0
/*
 * watch_hwbp.c - debug registers by way of the kernel's own interface, which shares them
 * with perf, ptrace and kgdb: one perf event for each CPU, or for each task.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/hw_breakpoint.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>

#include "watch.h"

#ifdef CONFIG_HAVE_HW_BREAKPOINT

#ifdef CONFIG_ARM64
#include "compat/hw_breakpoint.h"
#define TRAPS_BEFORE   true
#define TRIGGER(event) (counter_arch_bp(event)->trigger)
#define EXECUTE_LENGTH 4
#else
#define TRAPS_BEFORE   false
#define TRIGGER(event) 0
#define EXECUTE_LENGTH sizeof(long)
static inline int rt_compat_step_over(struct perf_event *event, perf_overflow_handler_t handler,
				      void *context)
{
	return 0;
}

static inline void rt_compat_step_end(struct perf_event *event)
{
}
#endif

/* --- trying it out --------------------------------------------------------------- */

/* A variable is watched and written once.  Without the step it would trap for ever. */
#define TRIAL_LIMIT 10

static u64 trial_word;
static u32 trial_hits;
static struct rt_watch trial = {
	.length = sizeof(trial_word),
	.access = RT_ACCESS_WRITE,
};

#ifdef CONFIG_ARM64
#define EACH_SLOT(DO) \
	DO(0)         \
	DO(1)         \
	DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
#define STOP_SLOT(n)                                                       \
	if (n < get_num_wrps() && read_sysreg(dbgwvr##n##_el1) == address) \
		write_sysreg(read_sysreg(dbgwcr##n##_el1) & ~1UL, dbgwcr##n##_el1);

/*
 * Behind the kernel's back: the only way out of an access that traps again and again.  The
 * register is switched off on this CPU, and so that the kernel does not switch it on after
 * the step, it is made one of the other privilege.
 */
static void give_up(struct perf_event *event)
{
	struct arch_hw_breakpoint *bp = counter_arch_bp(event);
	unsigned long address = bp->address & ~7UL;

	bp->ctrl.privilege = bp->ctrl.privilege == AARCH64_BREAKPOINT_EL1 ? AARCH64_BREAKPOINT_EL0 :
									    AARCH64_BREAKPOINT_EL1;
	EACH_SLOT(STOP_SLOT)
	isb();
}
#else
static void give_up(struct perf_event *event)
{
}
#endif

static void write_trial(void *unused)
{
	WRITE_ONCE(trial_word, 1);
}

/* --- hits ------------------------------------------------------------------------ */

static void on_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	struct rt_watch *watch = event->overflow_handler_context;

	if (unlikely(watch == &trial)) {
		if (++trial_hits > TRIAL_LIMIT)
			give_up(event);
		return;
	}
	if (!rt_watch_hit(watch, regs, TRIGGER(event)))
		give_up(event);
}
NOKPROBE_SYMBOL(on_hit);

/* --- the interface --------------------------------------------------------------- */

static void *attach(struct rt_watch *watch, int cpu, struct task_struct *task)
{
	struct perf_event_attr attr;
	struct perf_event *event;
	int err;

	hw_breakpoint_init(&attr);
	attr.bp_addr = watch->address;
	attr.bp_len = watch->access & RT_ACCESS_EXECUTE ? EXECUTE_LENGTH : watch->length;
	attr.bp_type = (watch->access & RT_ACCESS_READ ? HW_BREAKPOINT_R : 0) |
		       (watch->access & RT_ACCESS_WRITE ? HW_BREAKPOINT_W : 0) |
		       (watch->access & RT_ACCESS_EXECUTE ? HW_BREAKPOINT_X : 0);
	attr.disabled = 1;
	event = perf_event_create_kernel_counter(&attr, cpu, task, TRAPS_BEFORE ? NULL : on_hit,
						 watch);
	if (!TRAPS_BEFORE || IS_ERR(event))
		return event;
	/* It is disabled: nobody looks at its handler yet. */
	err = rt_compat_step_over(event, on_hit, watch);
	if (!err)
		return event;
	perf_event_release_kernel(event);
	return ERR_PTR(err);
}

static void enable(void *handle)
{
	perf_event_enable(handle);
}

static void disable(void *handle)
{
	perf_event_disable(handle);
}

static bool gone(void *handle)
{
	struct perf_event *event = handle;

	return READ_ONCE(event->state) <= PERF_EVENT_STATE_EXIT;
}

static bool serves(void *handle, const struct task_struct *task)
{
	struct perf_event *event = handle;

	return event->hw.target == task;
}

static u64 counted(void *handle)
{
	struct perf_event *event = handle;

	return local64_read(&event->count);
}

static void detach(void **handles, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		if (handles[i])
			perf_event_disable(handles[i]);
	/* Handlers run with preemption off. */
	synchronize_rcu();
	for (i = 0; i < count; i++)
		if (handles[i] && TRAPS_BEFORE)
			rt_compat_step_end(handles[i]);
	if (TRAPS_BEFORE)
		synchronize_rcu();
	for (i = 0; i < count; i++)
		if (handles[i])
			perf_event_release_kernel(handles[i]);
}

static int try_out(void)
{
	void *handle;
	int cpu = cpumask_first(cpu_online_mask);

	trial.address = (unsigned long)&trial_word;
	handle = attach(&trial, cpu, NULL);
	/* Others have all registers: then it is to be seen when one is free. */
	if (IS_ERR(handle))
		return PTR_ERR(handle) == -ENOSPC ? 0 : PTR_ERR(handle);
	enable(handle);
	smp_call_function_single(cpu, write_trial, NULL, 1);
	detach(&handle, 1);
	return trial_hits == 1 ? 0 : -EOPNOTSUPP;
}

const struct rt_watch_backend rt_watch_hwbp = {
	.name = "hw_breakpoint",
	.init = try_out,
	.gone = gone,
	.serves = serves,
	.attach = attach,
	.enable = enable,
	.disable = disable,
	.counted = counted,
	.detach = detach,
};

#else

static int try_out(void)
{
	return -EOPNOTSUPP;
}

const struct rt_watch_backend rt_watch_hwbp = { .name = "none", .init = try_out };

#endif
