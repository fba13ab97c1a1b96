// SPDX-License-Identifier: GPL-2.0
/*
 * watch_hwbp.c - debug registers through the kernel's own interface, which shares them with perf,
 * ptrace and kgdb: one perf event for each CPU, or for each task.
 */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/hw_breakpoint.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/sched/task.h>
#include <linux/smp.h>

#include "compat/perf_event.h"
#include "kernel/clock.h"
#include "program/program_port.h"
#include "watch.h"
#include "watch_access.h"
#include "watch_near.h"

u32 rt_watch_delivery;

#ifdef CONFIG_HAVE_HW_BREAKPOINT

#ifdef CONFIG_ARM64
#include <asm/sysreg.h>
#include "compat/hw_breakpoint.h"
#include "compat/traps.h"
#include "watch_slot.h"
#define TRAPS_BEFORE   true
#define EXECUTE_LENGTH 4
#else
#define TRAPS_BEFORE   false
#define EXECUTE_LENGTH sizeof(long)
#endif

/* --- hits ------------------------------------------------------------------------ */

static struct rt_watch trial;
static bool trial_steps; /* the kernel must step over the access */
static enum rt_watch_next try_hit(struct pt_regs *regs, bool leave);

static __always_inline enum rt_watch_next hit(struct rt_watch *watch, struct pt_regs *regs,
					      u64 trigger, bool leave)
{
	return unlikely(watch == &trial) ? try_hit(regs, leave) :
					   rt_watch_hit(watch, regs, trigger, leave);
}

#ifdef CONFIG_ARM64
#define SYNDROME_WRITE (1U << 6)

/*
 * Another user has an event at the same address.  The event in the last register decides whether
 * the kernel steps over the access.  If that is the other event, leave the decision to it.
 */
static noinline bool other_steps(struct perf_event *event, const struct rt_watch *watch,
				 u64 trigger, bool write, u32 hit)
{
	u32 ours = watch->crowded ? rt_watch_near_count(watch, trigger,
							write ? RT_ACCESS_WRITE : RT_ACCESS_READ) :
				    0;

	/* If several are ours, none knows which is last: then the handler performs the access. */
	if (hweight32(hit) <= ours + 1 || ours)
		return false;
	return RT_COMPAT_ANY_STEPS || !rt_watch_slot_is_last(event, hit);
}
NOKPROBE_SYMBOL(other_steps);

static __always_inline void serve(struct perf_event *event, struct pt_regs *regs)
{
	struct rt_watch *watch = event->overflow_handler_context;
	u64 trigger = counter_arch_bp(event)->trigger;
	bool steps = rt_compat_steps(event), leave = steps;
	enum rt_watch_next next;
	bool write;
	u32 slots;

	/* The kernel always steps over a watched instruction. */
	if (unlikely(watch->access & RT_ACCESS_EXECUTE)) {
		rt_watch_hit(watch, regs, trigger, true);
		rt_compat_step_now(event);
		return;
	}
	if (!RT_COMPAT_STEPS_KERNEL && unlikely(watch == &trial) && READ_ONCE(trial_steps)) {
		rt_compat_step_next(event);
		return;
	}
	trigger = rt_port_untagged(trigger);
	write = read_sysreg(esr_el1) & SYNDROME_WRITE;
	slots = rt_watch_slots_at(trigger, write);
	if (unlikely(slots & (slots - 1)))
		leave = leave || other_steps(event, watch, trigger, write, slots);
	next = hit(watch, regs, trigger, leave);
	/* Only this one access must be stepped over. */
	if (unlikely(steps))
		rt_compat_step_off(event);
	if (likely(next == RT_WATCH_GO_ON))
		return;
	if (next == RT_WATCH_GIVE_UP || !(leave || RT_COMPAT_STEPS_KERNEL || user_mode(regs))) {
		rt_watch_slot_off(event);
		if (likely(watch != &trial))
			rt_watch_pause(watch, event);
	} else if (!leave) {
		rt_compat_step_on(event);
	}
}

static void on_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	serve(event, regs);
	rt_compat_trap_end();
}
NOKPROBE_SYMBOL(on_hit);
#else
static void on_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	hit(event->overflow_handler_context, regs, 0, false);
}
NOKPROBE_SYMBOL(on_hit);
#endif

/* --- the interface --------------------------------------------------------------- */

/*
 * Older kernels count the breakpoints of a task by the address of its struct task_struct, without a
 * reference.  If the event outlived the struct, a new task at that address would find its debug
 * registers taken, also those for a debugger.  So each event holds one.
 */
static void hwbp_hold(struct task_struct *task)
{
	if (task)
		get_task_struct(task);
}

/* No handler runs for it any more. */
static void hwbp_release(struct perf_event *event)
{
	struct task_struct *task = rt_compat_watched_task(event);
	struct rt_watch *watch = event->overflow_handler_context;

	if (watch && watch != &trial)
		rt_watch_pause_end(watch, event);
	perf_event_release_kernel(event);
	if (task)
		put_task_struct(task);
}

static void *hwbp_attach(struct rt_watch *watch, int cpu, struct task_struct *task)
{
	struct perf_event_attr attr;
	struct perf_event *event;
#ifdef CONFIG_ARM64
	int err;
#endif

	hw_breakpoint_init(&attr);
	attr.bp_addr = watch->address;
	attr.bp_len = watch->access & RT_ACCESS_EXECUTE ? EXECUTE_LENGTH : watch->length;
	attr.bp_type = (watch->access & RT_ACCESS_READ ? HW_BREAKPOINT_R : 0) |
		       (watch->access & RT_ACCESS_WRITE ? HW_BREAKPOINT_W : 0) |
		       (watch->access & RT_ACCESS_EXECUTE ? HW_BREAKPOINT_X : 0);
	attr.disabled = 1;
	event = perf_event_create_kernel_counter(&attr, cpu, task, TRAPS_BEFORE ? NULL : on_hit,
						 watch);
	if (IS_ERR(event))
		return event;
	hwbp_hold(task);
#ifdef CONFIG_ARM64
	/* The event is disabled: nobody calls its handler yet. */
	err = rt_compat_step_init(event, on_hit, watch);
	if (err) {
		hwbp_release(event);
		return ERR_PTR(err);
	}
	if (watch->access & RT_ACCESS_EXECUTE)
		rt_compat_step_on(event);
#endif
	return event;
}

static void hwbp_enable(void *handle)
{
	perf_event_enable(handle);
}

static void hwbp_disable(void *handle)
{
	perf_event_disable(handle);
}

static bool hwbp_gone(void *handle)
{
	struct perf_event *event = handle;

	return rt_compat_event_gone(event);
}

static bool hwbp_serves(void *handle, const struct task_struct *task)
{
	struct perf_event *event = handle;

	return rt_compat_watched_task(event) == task;
}

static u64 hwbp_counted(void *handle)
{
	struct perf_event *event = handle;

	return local64_read(&event->count);
}

/* There may be thousands of handles: give the CPU away in between. */
static void hwbp_detach(void **handles, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		if (handles[i])
			perf_event_disable(handles[i]);
		cond_resched();
	}
	/* Handlers run with preemption off. */
	synchronize_rcu();
#ifdef CONFIG_ARM64
	for (i = 0; i < count; i++) {
		if (handles[i])
			rt_compat_step_end(handles[i]);
		cond_resched();
	}
	synchronize_rcu();
#endif
	for (i = 0; i < count; i++) {
		if (handles[i])
			hwbp_release(handles[i]);
		cond_resched();
	}
}

/*
 * These belong to tasks that have ended.  Each task disabled its event in its own context when it
 * ended, so no handler runs for them.
 */
static void hwbp_reap(void **handles, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
#ifdef CONFIG_ARM64
		rt_compat_step_end(handles[i]);
#endif
		hwbp_release(handles[i]);
		cond_resched();
	}
}

/* In an interrupt of the event's CPU, so nobody can schedule the event meanwhile. */
static void hwbp_resume(void *handle)
{
	struct perf_event *event = handle;

	if (event->state != PERF_EVENT_STATE_ACTIVE || event->oncpu != smp_processor_id())
		return;
	event->pmu->del(event, 0);
	event->pmu->add(event, PERF_EF_START);
}

/* --- trying it out --------------------------------------------------------------- */

#ifdef CONFIG_ARM64
/* Before 5.3 the kernel does not disable preemption on the way to the handler. */
u32 rt_watch_trap_depth __read_mostly = PREEMPT_DISABLE_OFFSET;
#endif

/* Watch a variable and write it.  Unless the kernel or we complete the write, it traps forever. */
#define TRIAL_LIMIT 10
/* x86: so many accesses tell how long a trap takes. */
#define TRIAL_TIMES 50

static u64 trial_word;
static u32 trial_hits;
static u32 trial_depth; /* preempt_count() before the trap */
static u64 trial_began; /* the time just before the access */
static DEFINE_PER_CPU(struct rt_watch_cpu, trial_cpu);
static DEFINE_MUTEX(trial_lock);
static struct rt_watch trial = {
	.length = sizeof(trial_word),
	.access = RT_ACCESS_WRITE,
	.cpu = &trial_cpu,
};

static enum rt_watch_next try_hit(struct pt_regs *regs, bool leave)
{
	/* x86 traps after the access, so only continue. */
	if (!TRAPS_BEFORE) {
		s64 took = rt_clock_read() - trial_began;

		trial_hits++;
		rt_watch_delivery = max_t(s64, rt_watch_delivery, min_t(s64, took, ~0U));
		return RT_WATCH_GO_ON;
	}
	if (++trial_hits > TRIAL_LIMIT)
		return RT_WATCH_GIVE_UP;
#ifdef CONFIG_ARM64
	WRITE_ONCE(rt_watch_trap_depth, preempt_count() - trial_depth);
#endif
	return rt_watch_try(&trial, regs, leave || READ_ONCE(trial_steps));
}
NOKPROBE_SYMBOL(try_hit);

#ifdef CONFIG_ARM64
static struct perf_event *trial_event;

/* If the kernel decides before it calls the handler, it takes two traps to step over an access. */
static bool steps_after_handler(void)
{
	u64 before = local64_read(&trial_event->count);

	WRITE_ONCE(trial_steps, true);
	WRITE_ONCE(trial_word, 7);
	WRITE_ONCE(trial_steps, false);
	return READ_ONCE(trial_word) == 7 && local64_read(&trial_event->count) == before + 1;
}

/* One write, which the watch reports if it is ON. */
static bool writes(u64 value, bool on)
{
	u32 before = READ_ONCE(trial_hits);

	WRITE_ONCE(trial_word, value);
	return READ_ONCE(trial_word) == value && READ_ONCE(trial_hits) == before + on;
}

/* A pause: switch the register off, and on again, as hit() and the timer do. */
static bool pauses(void)
{
	bool works = trial_event->state == PERF_EVENT_STATE_ACTIVE;

	rt_watch_slot_off(trial_event);
	works = works && writes(11, false);
	hwbp_resume(trial_event);
	return works && writes(12, true);
}
#endif

/* Try all ways to complete an access; false if one of them failed. */
static void write_trial(void *result)
{
	bool *works = result;

	trial_depth = preempt_count();
	trial_began = rt_clock_read();
	WRITE_ONCE(trial_word, 1);
	*works = READ_ONCE(trial_word) == 1 && READ_ONCE(trial_hits) == 1;
#ifdef CONFIG_X86
	{
		u32 i;

		/* The first ones bring the code into the caches. */
		for (i = 0; i < TRIAL_TIMES; i++) {
			trial_began = rt_clock_read();
			WRITE_ONCE(trial_word, 1);
		}
		*works = *works && READ_ONCE(trial_hits) == 1 + TRIAL_TIMES;
	}
#endif
#ifdef CONFIG_ARM64
	{
		u64 value, fail, attempts = 0;

		asm volatile("1:	ldxr	%0, %3\n"
			     "	add	%2, %2, #1\n"
			     "	add	%0, %0, #4\n"
			     "	stxr	%w1, %0, %3\n"
			     "	cbnz	%w1, 1b\n"
			     : "=&r"(value), "=&r"(fail), "+r"(attempts), "+Q"(trial_word)
			     :
			     : "memory");
		*works = *works && trial_word == 5 && READ_ONCE(trial_hits) == 2 && attempts == 1;
	}
	*works = *works && pauses();
	if (!RT_COMPAT_STEPS_KERNEL) {
		*works = *works && steps_after_handler();
		return;
	}
	/* This one traps twice. */
	WRITE_ONCE(trial_steps, true);
	WRITE_ONCE(trial_word, 7);
	WRITE_ONCE(trial_steps, false);
	*works = *works && READ_ONCE(trial_word) == 7 && READ_ONCE(trial_hits) == 5;
#endif
}

static int try_out(int cpu)
{
	bool works = false;
	void *handle;
	int err;

	mutex_lock(&trial_lock);
	trial.address = (unsigned long)&trial_word;
	trial.mask = ~0ULL;
	trial_word = 0;
	trial_hits = 0;
	if (TRAPS_BEFORE)
		rt_watch_access_start(&trial);
	handle = hwbp_attach(&trial, cpu, NULL);
	err = IS_ERR(handle) ? PTR_ERR(handle) : 0;
	if (!err) {
#ifdef CONFIG_ARM64
		trial_event = handle;
#endif
		hwbp_enable(handle);
		err = smp_call_function_single(cpu, write_trial, &works, 1);
		hwbp_detach(&handle, 1);
		if (!err && !works)
			err = -EOPNOTSUPP;
	}
	mutex_unlock(&trial_lock);
	return err;
}

static void hwbp_init(void)
{
#ifdef CONFIG_ARM64
	rt_watch_slot_init();
#endif
}

const struct rt_watch_backend rt_watch_hwbp = {
	.name = "hw_breakpoint",
	.init = hwbp_init,
	.try_out = try_out,
	.resume = hwbp_resume,
	.gone = hwbp_gone,
	.serves = hwbp_serves,
	.attach = hwbp_attach,
	.enable = hwbp_enable,
	.disable = hwbp_disable,
	.counted = hwbp_counted,
	.detach = hwbp_detach,
	.reap = hwbp_reap,
};

#else

static void hwbp_init(void)
{
}

static int try_out(int cpu)
{
	return -EOPNOTSUPP;
}

const struct rt_watch_backend rt_watch_hwbp = { .name = "none",
						.init = hwbp_init,
						.try_out = try_out };

#endif
