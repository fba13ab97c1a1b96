// SPDX-License-Identifier: GPL-2.0
/*
 * hardware.c - the counters and debug registers that are free right now, found out by
 * asking for them through perf_event_open(2) and giving them back.
 */
#include "doctor/doctor.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_SLOTS = 32 };

/* The files of another system say nothing of its hardware. */
static bool elsewhere(const struct rt_machine *m, struct rt_finding *f)
{
	if (!*m->root)
		return false;
	rt_finding_set(f, RT_VERDICT_NOTE, "not looked at: only the running system can tell");
	return true;
}

static int open_event(struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	return syscall(SYS_perf_event_open, attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void rt_check_pmu(struct rt_machine *m, struct rt_finding *f)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
	};
	int fd;

	if (elsewhere(m, f))
		return;
	fd = open_event(&attr);
	if (fd >= 0) {
		close(fd);
		rt_finding_set(f, RT_VERDICT_OK, "hardware cycles can be counted");
		return;
	}
	rt_finding_set(f, RT_VERDICT_NOTE, "no hardware counters (%s): sampling uses cpu-clock",
		       errno == ENOENT || errno == EOPNOTSUPP ?
			       "none here, as in most virtual machines" :
			       strerror(errno));
}

/* How many breakpoints of TYPE a task can still take. */
static int free_slots(unsigned int type, unsigned int len)
{
	static unsigned long target[MOST_SLOTS];
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.bp_type = type,
		.bp_len = len,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd[MOST_SLOTS], n, i;

	for (n = 0; n < MOST_SLOTS; n++) {
		attr.bp_addr = (unsigned long)&target[n];
		fd[n] = open_event(&attr);
		if (fd[n] < 0)
			break;
	}
	for (i = 0; i < n; i++)
		close(fd[i]);
	return n;
}

void rt_check_watch_slots(struct rt_machine *m, struct rt_finding *f)
{
	int data, code;

	if (elsewhere(m, f))
		return;
	data = free_slots(HW_BREAKPOINT_W, HW_BREAKPOINT_LEN_4);
	code = free_slots(HW_BREAKPOINT_X, sizeof(long));
	if (!data) {
		rt_finding_set(f, RT_VERDICT_NOTE,
			       "no debug register is free (perf, ptrace or kgdb may hold them)");
		rt_finding_fix(f, "fuser /dev/ringtail; pgrep -a 'perf|gdb'   # who holds them");
		return;
	}
	if (m->has_info && m->info.slots_shared)
		rt_finding_set(f, RT_VERDICT_OK, "%d of %u slots free, for data or execution", data,
			       m->info.watch_slots);
	else if (m->has_info)
		rt_finding_set(f, RT_VERDICT_OK, "%d of %u data slots free, %d of %u for execution",
			       data, m->info.watch_slots, code, m->info.break_slots);
	else
		rt_finding_set(f, RT_VERDICT_OK, "%d data slots free, %d for execution", data,
			       code);
}
