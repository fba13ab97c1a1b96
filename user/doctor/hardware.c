// SPDX-License-Identifier: GPL-2.0
/*
 * hardware.c - the counters and debug registers that are free now: open them with
 * perf_event_open(2), then close them.
 */
#include "agent/device.h"
#include "base/file.h"
#include "doctor/doctor.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_SLOTS = 32, ABI_MINOR_NEWBORN = 9, ABI_MINOR_EXECUTION = 12 };

/* A tree of files from another system says nothing about its hardware. */
static bool elsewhere(const struct rt_doctor *m, struct rt_finding *f)
{
	if (!*m->host.root)
		return false;
	rt_finding_set(f, RT_VERDICT_UNCHECKED, "only the running system can tell");
	return true;
}

/* Denied by perf_event_paranoid or a security module. */
static void no_permission(struct rt_finding *f)
{
	rt_finding_set(f, RT_VERDICT_UNCHECKED, "no permission to try");
	rt_finding_fix(f, "sudo ringtail doctor");
}

static int open_event(struct perf_event_attr *attr)
{
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	/* Not PERF_FLAG_FD_CLOEXEC, which came with 3.14: the caller closes it before anything is executed. */
	return syscall(SYS_perf_event_open, attr, 0, -1, -1, 0);
}

void rt_check_pmu(struct rt_doctor *m, struct rt_finding *f)
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
	if (errno == EACCES || errno == EPERM) {
		no_permission(f);
		return;
	}
	rt_finding_set(f, RT_VERDICT_NOTE, "no hardware counters (%s): sampling uses cpu-clock",
		       errno == ENOENT || errno == EOPNOTSUPP ?
			       "none here, as in most virtual machines" :
			       strerror(errno));
}

/* How many breakpoints of TYPE a task can still get; -EACCES. */
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
	/* Check errno now; close() may change it. */
	if (!n && (errno == EACCES || errno == EPERM))
		n = -EACCES;
	for (i = 0; i < n; i++)
		close(fd[i]);
	return n;
}

/* Let the module watch its own variable on every CPU; false if that failed somewhere. */
static bool try_watches(const struct rt_doctor *m, struct rt_try *result, struct rt_finding *f)
{
	struct rt_err err;
	int fd, ret;

	memset(result, 0, sizeof(*result));
	if (!m->has_info)
		return true;
	fd = rt_device_open(&err);
	if (fd < 0)
		return true;
	ret = rt_device_try(fd, result);
	close(fd);
	if (ret || !result->failed)
		return true;
	rt_finding_set(f, RT_VERDICT_FAIL,
		       "watchpoints do not work on %u of %u CPUs, the first being CPU %d",
		       result->failed, result->tried, result->first);
	rt_finding_fix(f, "report it, with the kernel's version; until then: no mem: events");
	return false;
}

/* What to add if watches reach new tasks late; modules before 3.9 do not tell. */
static const char *late_watches(const struct rt_doctor *m)
{
	if (m->info.abi_minor < ABI_MINOR_NEWBORN || m->info.sources & RT_SOURCE_WATCH_NEWBORN)
		return "";
	return "; new tasks are watched only after they began to run";
}

/* Modules before 3.12 do not tell. */
static const char *execution_only_of_users(const struct rt_doctor *m)
{
	if (m->info.abi_minor < ABI_MINOR_EXECUTION || m->info.sources & RT_SOURCE_WATCH_EXECUTION)
		return "";
	return ", but only in programs: this kernel cannot step over its own instructions";
}

/* Whether the module was told not to use what watchpoints need here. */
static bool switched_off(struct rt_finding *f)
{
	static const char *const switches[] = { "watch_step", "watch_pause" };
	char path[128], value[8];
	size_t i;

	for (i = 0; i < sizeof(switches) / sizeof(*switches); i++) {
		snprintf(path, sizeof(path), "/sys/module/ringtail/parameters/%s", switches[i]);
		if (rt_file_line(path, value, sizeof(value)) < 0 || !strcmp(value, "Y"))
			continue;
		rt_finding_set(f, RT_VERDICT_NOTE, "none: the module was loaded with %s=0",
			       switches[i]);
		return true;
	}
	return false;
}

void rt_check_watch_slots(struct rt_doctor *m, struct rt_finding *f)
{
	struct rt_try tried;
	int data, code;

	if (elsewhere(m, f) || !try_watches(m, &tried, f))
		return;
	if (m->has_info && !tried.tried && !(m->info.sources & RT_SOURCE_WATCHPOINT) &&
	    switched_off(f))
		return;
	data = free_slots(HW_BREAKPOINT_W, HW_BREAKPOINT_LEN_4);
	code = free_slots(HW_BREAKPOINT_X, sizeof(long));
	if (data < 0 || code < 0) {
		no_permission(f);
		return;
	}
	if (!data) {
		rt_finding_set(f, RT_VERDICT_NOTE,
			       "no debug register is free (perf, ptrace or kgdb may hold them)");
		rt_finding_fix(f, "fuser /dev/ringtail; pgrep -a 'perf|gdb'   # who holds them");
		return;
	}
	if (m->has_info && m->info.slots_shared)
		rt_finding_set(f, RT_VERDICT_OK,
			       "%d of %u slots free, for data or execution; tried on %u CPUs%s%s",
			       data, m->info.watch_slots, tried.tried,
			       m->info.sources & RT_SOURCE_WATCH_PROBED ?
				       "" :
				       "; this kernel does not report what an instruction under a "
				       "kprobe accesses",
			       late_watches(m));
	else if (m->has_info)
		rt_finding_set(
			f, RT_VERDICT_OK,
			"%d of %u data slots free, %d of %u for execution%s; tried on %u CPUs%s",
			data, m->info.watch_slots, code, m->info.break_slots,
			execution_only_of_users(m), tried.tried, late_watches(m));
	else
		rt_finding_set(f, RT_VERDICT_OK, "%d data slots free, %d for execution", data,
			       code);
}
