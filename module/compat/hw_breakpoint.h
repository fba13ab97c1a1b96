/* SPDX-License-Identifier: GPL-2.0 */
/*
 * If a watch traps before the access, the kernel steps over the access only for events that have
 * its own overflow handler.  For a data watch it decides that before it calls the handler.  Two
 * mechanisms nevertheless give us both the call and the step; the kernel has them for attaching a
 * BPF program to an event.
 *
 * rt_compat_step_init() makes HANDLER the handler of an event that was created without one, so that
 * the kernel does not step.  rt_compat_step_on() and _off() switch stepping, also in the handler,
 * for the next trap.  Call rt_compat_step_end() before freeing the event.
 *
 * Included by its one user, not by compat.h.
 */
#ifndef RT_COMPAT_HW_BREAKPOINT_H
#define RT_COMPAT_HW_BREAKPOINT_H

#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/irq_work.h>
#include <linux/perf_event.h>

#include "traps.h"

/* The kernel's own handler, taken from the first event created. */
static perf_overflow_handler_t rt_compat_default_handler;

/*
 * rt_compat_step_now() is for the handler, if the kernel decides after it.
 * RT_COMPAT_ANY_STEPS: the kernel steps if any event at the address wants it; otherwise the last one decides.
 */
#if RT_COMPAT_STEPS_KERNEL
#define RT_COMPAT_ANY_STEPS false

static inline void rt_compat_step_next(struct perf_event *event)
{
}

static inline void rt_compat_step_now(struct perf_event *event)
{
}
#else
#define RT_COMPAT_ANY_STEPS true
#endif

#if defined(RT_HAVE_ORIG_OVERFLOW_HANDLER)

/* The field is for BPF programs, which ours replace. */
static inline bool rt_compat_steps(const struct perf_event *event)
{
	return event->orig_overflow_handler;
}

static inline void rt_compat_step_on(struct perf_event *event)
{
	event->orig_overflow_handler = rt_compat_default_handler;
}

#if RT_COMPAT_STEPS_KERNEL

/* The event stores its original handler, and the kernel checks that one, too. */
static inline int rt_compat_step_init(struct perf_event *event, perf_overflow_handler_t handler,
				      void *context)
{
	rt_compat_default_handler = event->overflow_handler;
	event->overflow_handler_context = context;
	event->overflow_handler = handler;
	return 0;
}

static inline void rt_compat_step_off(struct perf_event *event)
{
	event->orig_overflow_handler = NULL;
}

static inline void rt_compat_step_end(struct perf_event *event)
{
	event->overflow_handler = rt_compat_default_handler;
	event->orig_overflow_handler = NULL;
}

#else

/*
 * The kernel checks only whether the event has the kernel's own handler.  If it does so after our handler has
 * run, which rt_compat_step_next() helps to find out, put that one in for a moment.  An interrupt puts ours
 * back: it arrives before the task executes the access, while the debug register is off.  In the kernel the
 * interrupt would end the step before the access, so this serves accesses of user programs only.  The
 * event's own irq_work is for waking the readers of its ring, and this event has none; the kernel waits for
 * it before it frees the event.
 */
static perf_overflow_handler_t rt_compat_step_handler;

static void rt_compat_step_restore(struct irq_work *work)
{
	struct perf_event *event = container_of(work, struct perf_event, pending);

	WRITE_ONCE(event->overflow_handler, rt_compat_step_handler);
}

static inline int rt_compat_step_init(struct perf_event *event, perf_overflow_handler_t handler,
				      void *context)
{
	rt_compat_default_handler = event->overflow_handler;
	rt_compat_step_handler = handler;
	init_irq_work(&event->pending, rt_compat_step_restore);
	event->overflow_handler_context = context;
	WRITE_ONCE(event->overflow_handler, handler);
	return 0;
}

/* The next decision is to step, whether it is for this trap or for another one. */
static inline void rt_compat_step_next(struct perf_event *event)
{
	WRITE_ONCE(event->overflow_handler, rt_compat_default_handler);
}

static inline void rt_compat_step_now(struct perf_event *event)
{
	rt_compat_step_next(event);
	irq_work_queue(&event->pending);
}

static inline void rt_compat_step_off(struct perf_event *event)
{
	event->orig_overflow_handler = NULL;
	rt_compat_step_now(event);
}

static inline void rt_compat_step_end(struct perf_event *event)
{
	irq_work_sync(&event->pending);
	WRITE_ONCE(event->overflow_handler, rt_compat_default_handler);
	event->orig_overflow_handler = NULL;
}

#endif

#elif defined(RT_HAVE_EVENT_PROG)

/*
 * The kernel runs the program before the handler; if the program returns 0, the handler does not
 * run.  Only the event refers to our program: it has no reference count, and rt_compat_step_end()
 * clears the pointer.
 */
static perf_overflow_handler_t rt_compat_step_handler;

static unsigned int rt_compat_step_run(const void *argument, const struct bpf_insn *insn)
{
	const struct bpf_perf_event_data_kern *data = argument;

	rt_compat_step_handler(data->event, data->data, (struct pt_regs *)data->regs);
	return 0;
}

/* kernel.bpf_stats_enabled makes the kernel count the runs of each program here. */
static DEFINE_PER_CPU(struct bpf_prog_stats, rt_compat_step_stats);

static struct bpf_prog rt_compat_step_program = {
	.stats = &rt_compat_step_stats,
	.type = BPF_PROG_TYPE_PERF_EVENT,
	.bpf_func = rt_compat_step_run,
};

static inline int rt_compat_step_init(struct perf_event *event, perf_overflow_handler_t handler,
				      void *context)
{
	rt_compat_default_handler = event->overflow_handler;
	rt_compat_step_handler = handler;
	event->overflow_handler_context = context;
	WRITE_ONCE(event->overflow_handler, handler);
	return 0;
}

static inline bool rt_compat_steps(const struct perf_event *event)
{
	return event->prog;
}

static inline void rt_compat_step_on(struct perf_event *event)
{
	WRITE_ONCE(event->prog, &rt_compat_step_program);
	WRITE_ONCE(event->overflow_handler, rt_compat_default_handler);
}

static inline void rt_compat_step_off(struct perf_event *event)
{
	WRITE_ONCE(event->overflow_handler, rt_compat_step_handler);
	WRITE_ONCE(event->prog, NULL);
}

static inline void rt_compat_step_end(struct perf_event *event)
{
	WRITE_ONCE(event->overflow_handler, rt_compat_default_handler);
	WRITE_ONCE(event->prog, NULL);
}

#else

static inline int rt_compat_step_init(struct perf_event *event, perf_overflow_handler_t handler,
				      void *context)
{
	return -EOPNOTSUPP;
}

static inline bool rt_compat_steps(const struct perf_event *event)
{
	return false;
}

static inline void rt_compat_step_on(struct perf_event *event)
{
}

static inline void rt_compat_step_off(struct perf_event *event)
{
}

static inline void rt_compat_step_end(struct perf_event *event)
{
}

#endif

#endif
