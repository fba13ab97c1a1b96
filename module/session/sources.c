// SPDX-License-Identifier: GPL-2.0
#include "source/kprobe.h"
#include "source/pmu.h"
#include "source/syscall.h"
#include "source/tracepoint.h"
#include "source/tracepoint_later.h"
#include "source/tracepoint_perf.h"
#include "source/uprobe.h"
#include "sources.h"
#include "watch/watchpoint.h"

/* To add a source, add a file and one line here. */
const struct rt_source *const rt_sources[RT_SOURCES] = {
	&rt_kprobe_source,	    &rt_kretprobe_source,	 &rt_tracepoint_source,
	&rt_syscall_enter_source,   &rt_syscall_exit_source,	 &rt_pmu_source,
	&rt_watchpoint_source,	    &rt_uprobe_source,		 &rt_uretprobe_source,
	&rt_tracepoint_perf_source, &rt_tracepoint_later_source,
};
