// SPDX-License-Identifier: GPL-2.0
/*
 * tracepoint_perf.c - the source for tracepoints whose header did not compile into this module
 * (tracepoint.c serves the others).  The kernel's own perf_events fill in the fields, and their
 * counter calls us with the raw record.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/perf_event.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "compat/perf_event.h"
#include "counters.h"
#include "event/event.h"
#include "event/hit.h"
#include "event/place.h"
#include "event/user_side.h"
#include "kernel/registers.h"
#include "kernel/tracepoint_number.h"
#include "tracepoint_perf.h"

/* --- hits ------------------------------------------------------------------------ */

void rt_tracepoint_perf_hit(struct rt_event *event, const struct perf_sample_data *data,
			    struct pt_regs *regs, const u32 *number)
{
	const struct perf_raw_record *raw = data->raw;
	u32 size, ahead = number ? sizeof(*number) : 0;
	struct rt_hit hit;
	void *fields;

	BUILD_BUG_ON(sizeof(struct trace_entry) != RT_FIELD_BASE);
	/* A filter reads the fixed fields without looking at the size. */
	if (unlikely(!raw || rt_compat_raw(raw)->size < event->fetch.fixed)) {
		rt_hit_lose(event, RT_LOST_TOO_BIG);
		return;
	}
	size = rt_compat_raw(raw)->size - RT_FIELD_BASE;
	/* Of these registers only a walk of the stack can use something. */
	hit.regs = event->carry ? regs : NULL;
	rt_registers_tell_irqs(regs);
	hit.ip = 0;
	hit.caller = 0;
	hit.top = 0;
	hit.linked = false;
	/* Disabled by the tracepoint or, where probes of tracepoints may be preempted, by perf. */
	hit.depth = PREEMPT_DISABLE_OFFSET;
	fields = rt_hit_take(&hit, event, ahead + size);
	if (!fields)
		return;
	if (number)
		*(u32 *)fields = *number;
	memcpy(fields + ahead, rt_compat_raw(raw)->data + RT_FIELD_BASE, size);
	rt_hit_commit(&hit);
}
NOKPROBE_SYMBOL(rt_tracepoint_perf_hit);

static void tracepoint_overflow(struct perf_event *counter, struct perf_sample_data *data,
				struct pt_regs *regs)
{
	struct rt_counters *counters = counter->overflow_handler_context;

	rt_tracepoint_perf_hit(counters->event, data, regs, NULL);
}
NOKPROBE_SYMBOL(tracepoint_overflow);

/* --- adding ---------------------------------------------------------------------- */

void rt_tracepoint_perf_attr(struct perf_event_attr *attr, u32 number)
{
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = number;
	attr->sample_period = 1;
	attr->sample_type = PERF_SAMPLE_RAW;
}

/*
 * Arming finds out whether the kernel has the tracepoint.  To try it here would take a grace period for
 * each.
 */
static int tracepoint_perf_prepare(struct rt_event *event, const struct rt_event_add *add,
				   struct rt_refusal *refusal)
{
	struct rt_counters *counters;
	int err;

	if (!add->tracepoint.number || add->tracepoint.bytes > RT_TRACEPOINT_BYTES_MAX) {
		refusal->reason = RT_REFUSED_TOO_MANY;
		refusal->field = offsetof(struct rt_event_add, tracepoint);
		refusal->detail = RT_TRACEPOINT_BYTES_MAX;
		return -EINVAL;
	}
	/* What the kernel allocates without charging anybody. */
	err = rt_event_charge(event, rt_counters_bytes(), refusal);
	if (err)
		return err;
	counters = rt_counters_new(event, tracepoint_overflow);
	if (!counters)
		return -ENOMEM;
	rt_tracepoint_perf_attr(&counters->attr, add->tracepoint.number);
	event->fetch.fixed = RT_FIELD_BASE + add->tracepoint.bytes;
	event->probe = counters;
	event->where = rt_tracepoint_of_number(add->tracepoint.number);
	return 0;
}

const struct rt_source rt_tracepoint_perf_source = {
	.kind = RT_KIND_TRACEPOINT_PERF,
	.carry = RT_CARRY_STACK | RT_CARRY_USER,
	.contexts = 1U << RT_CONTEXT_PID | 1U << RT_CONTEXT_TID | 1U << RT_CONTEXT_CPU |
		    1U << RT_CONTEXT_PRIO | 1U << RT_CONTEXT_LEVEL,
	.lockdown = RT_LOCKDOWN_TRACEFS | RT_LOCKDOWN_PERF | RT_LOCKDOWN_READ_KMEM,
	.crowd = RT_PLACE_EVENTS_MAX,
	.place = RT_PLACE_TRACEPOINT,
	.argument = sizeof(struct rt_tracepoint),
	.own_fields = true,
	.prepare = tracepoint_perf_prepare,
	.arm = rt_counters_arm,
	.disarm = rt_counters_disarm,
	.missed = rt_counters_missed,
	.release = rt_counters_release,
};
