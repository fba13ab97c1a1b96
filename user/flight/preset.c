// SPDX-License-Identifier: GPL-2.0
#include "flight/preset.h"

#include <stddef.h>
#include <string.h>

/* docs/flight.md says what each is for and what it costs. */
static const char *const crash[] = {
	/* scheduling */
	"sched:sched_switch",
	"sched:sched_wakeup",
	"sched:sched_wakeup_new",
	"sched:sched_migrate_task",
	"sched:sched_process_fork",
	"sched:sched_process_exec",
	"sched:sched_process_exit",
	/* hung tasks */
	"sched:sched_process_hang",
	/* interrupts */
	"irq:irq_handler_entry",
	"irq:irq_handler_exit",
	"irq:softirq_entry",
	"irq:softirq_exit",
	/* out of memory */
	"oom:mark_victim",
	"oom:oom_score_adj_update",
	"vmscan:mm_vmscan_direct_reclaim_begin",
	"vmscan:mm_vmscan_direct_reclaim_end",
	/* allocations that fail */
	"kprobe:warn_alloc gfp=$arg1:x32",
	/* lock waits */
	"lock:contention_begin",
	"lock:contention_end",
	/* modules */
	"module:module_load",
	"module:module_free",
	/* signals */
	"signal:signal_generate",
	"signal:signal_deliver",
	NULL,
};

const char *const *rt_flight_preset(const char *name)
{
	return strcmp(name, "crash") ? NULL : crash;
}
