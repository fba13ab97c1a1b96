/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a data watch traps before the access, the kernel steps over it only for events
 * that have its own overflow handler, and asks before it calls the handler.  Both ways to
 * be called nevertheless are those by which a BPF program is attached to an event.
 *
 * Included by its one user, not by compat.h.
 */
#ifndef RT_COMPAT_HW_BREAKPOINT_H
#define RT_COMPAT_HW_BREAKPOINT_H

#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/perf_event.h>

#if defined(RT_HAVE_ORIG_OVERFLOW_HANDLER)

/* The event remembers the handler it had, and the kernel looks at that one, too. */
static inline int rt_compat_step_over(struct perf_event *event, perf_overflow_handler_t handler,
				      void *context)
{
	event->orig_overflow_handler = event->overflow_handler;
	event->overflow_handler_context = context;
	event->overflow_handler = handler;
	return 0;
}

static inline void rt_compat_step_end(struct perf_event *event)
{
	event->overflow_handler = event->orig_overflow_handler;
	event->orig_overflow_handler = NULL;
}

#elif defined(RT_HAVE_EVENT_PROG)

/*
 * The program runs in front of the handler, which it keeps from running by returning 0.
 * Nobody but the event refers to ours: it is not counted, and cleared before the event goes.
 */
static perf_overflow_handler_t rt_compat_step_handler;

static unsigned int rt_compat_step_run(const void *argument, const struct bpf_insn *insn)
{
	const struct bpf_perf_event_data_kern *data = argument;

	rt_compat_step_handler(data->event, data->data, (struct pt_regs *)data->regs);
	return 0;
}

static struct bpf_prog rt_compat_step_program = {
	.type = BPF_PROG_TYPE_PERF_EVENT,
	.bpf_func = rt_compat_step_run,
};

static inline int rt_compat_step_over(struct perf_event *event, perf_overflow_handler_t handler,
				      void *context)
{
	rt_compat_step_handler = handler;
	event->overflow_handler_context = context;
	WRITE_ONCE(event->prog, &rt_compat_step_program);
	return 0;
}

static inline void rt_compat_step_end(struct perf_event *event)
{
	WRITE_ONCE(event->prog, NULL);
}

#else

static inline int rt_compat_step_over(struct perf_event *event, perf_overflow_handler_t handler,
				      void *context)
{
	return -EOPNOTSUPP;
}

static inline void rt_compat_step_end(struct perf_event *event)
{
}

#endif

#endif
