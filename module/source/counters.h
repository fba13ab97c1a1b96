/* SPDX-License-Identifier: GPL-2.0 */
/*
 * counters.h - one counter of the kernel's perf_events for each CPU, for the sources that are made of
 * them.  The functions of struct rt_source here take events whose `probe` is a struct rt_counters.
 *
 * There is one for each CPU, even if a session is restricted to tasks: the handler checks the task each
 * time, as for every other source.  A counter bound to a task would have to be created for each new
 * child before it first runs.  The fork hook must not sleep, and with the kernel's own inheritance a
 * fork fails if its counter cannot be created.
 */
#ifndef RT_COUNTERS_H
#define RT_COUNTERS_H

#include <linux/list.h>
#include <linux/perf_event.h>
#include <linux/types.h>
#include <asm/local.h>

struct module;
struct rt_event;
struct rt_refusal;

struct rt_counters {
	struct rt_event *event;
	struct perf_event_attr attr;
	perf_overflow_handler_t handler; /* gets this struct as its context */
	bool interrupts; /* overflows are interrupts; else the handler runs in place */
	local_t __percpu *pauses;
	/*
	 * The kernel holds a reference to the tracepoint's module for each counter.  If this is set, each
	 * counter gives its reference back while it exists, so that the module can be unloaded; the
	 * owner then disarms the counters when the module goes.
	 */
	struct module *lent;
	u64 uncounted; /* CPUs that came online and got no counter; written under a lock */

	/* Under a lock of counters.c. */
	struct list_head link;	/* among the armed ones */
	struct perf_event **on; /* by CPU */
	u64 pass;		/* of the worker, that has served this one */
};

/* Without counters yet, and with an empty attr; NULL: no memory. */
struct rt_counters *rt_counters_new(struct rt_event *event, perf_overflow_handler_t handler);
void rt_counters_free(struct rt_counters *counters);
/* What one takes with the counters of all CPUs, which the kernel allocates without charging anybody. */
u64 rt_counters_bytes(void);

/* For a source that has several of them for one event.  After disarming, handlers may still run. */
int rt_counters_arm_one(struct rt_counters *counters);
void rt_counters_disarm_one(struct rt_counters *counters);
/* Give the references of the counters back to MODULE: sets `lent`. */
void rt_counters_lend(struct rt_counters *counters, struct module *module);

/* Operations of struct rt_source. */
int rt_counters_arm(struct list_head *events, struct rt_refusal *refusal);
void rt_counters_disarm(struct list_head *events);
void rt_counters_missed(struct rt_event *event, u64 *missed);
void rt_counters_release(struct list_head *events);

/* Once, at load and at unload. */
int rt_counters_init(void);
void rt_counters_exit(void);

#endif
