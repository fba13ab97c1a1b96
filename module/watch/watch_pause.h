/* SPDX-License-Identifier: GPL-2.0 */
/*
 * watch_pause.h - a debug register that is off for a while, because an access could not complete while
 * it was on.
 *
 * The access completes soon, without a record.  An interrupt of the same CPU switches the register on
 * again after RT_WATCH_PAUSE_NS: a timer, because no thread would run on a CPU that spins with
 * preemption disabled.  The time is counted, since nobody can know what was missed.
 */
#ifndef RT_WATCH_PAUSE_H
#define RT_WATCH_PAUSE_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/types.h>

#include <uapi/ringtail.h>

struct rt_watch;

/* Far longer than any loop of exclusives takes, and rare enough to cost little. */
#define RT_WATCH_PAUSE_NS 2000000

/*
 * For each watch and CPU.  There is one at a time: if the register of another task is given up, the
 * kernel has scheduled out the earlier one, and switches it on when it schedules it in.
 */
struct rt_watch_pause {
	struct irq_work begin;
	struct hrtimer end;
	void *handle; /* whose register is off; NULL: none */
	u64 since;
	u64 ns;			    /* of pauses that have ended */
	u64 times;		    /* how many there were */
	struct rt_anchor_off *told; /* both once more, where a memory image has them; may be NULL */
};

void rt_watch_pause_init(struct rt_watch *watch);

/* In a handler: the register of HANDLE is off.  Switch it on again a little later. */
void rt_watch_pause(struct rt_watch *watch, void *handle);

/* End the pauses of HANDLE, which is about to be freed, or of all handles if it is NULL. */
void rt_watch_pause_end(struct rt_watch *watch, void *handle);

/* Before the watch is freed, when no handler runs for it any more. */
void rt_watch_pause_exit(struct rt_watch *watch);

/* Before the watch is armed: keep the numbers of the first CPUS CPUs in OFF, too, which outlives the watch. */
void rt_watch_pause_tell(struct rt_watch *watch, struct rt_anchor_off *off, u32 cpus);

/* Add to *NS and *TIMES how long and how often the watch was off on the CPU. */
void rt_watch_pause_count(struct rt_watch *watch, int cpu, u64 *ns, u64 *times);

#endif
