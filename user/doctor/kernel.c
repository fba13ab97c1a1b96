// SPDX-License-Identifier: GPL-2.0
/*
 * kernel.c - the running kernel's switches that bear on tracing.
 */
#include "doctor/doctor.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

void rt_check_lockdown(struct rt_machine *m, struct rt_finding *f)
{
	char path[PATH_MAX], line[128];
	char *mode, *end;

	if (rt_file_line(rt_machine_path(m, path, "/sys/kernel/security/lockdown"), line,
			 sizeof(line)) < 0) {
		rt_finding_set(f, RT_VERDICT_OK,
			       "this kernel has none, or securityfs is not mounted");
		return;
	}
	mode = strchr(line, '[');
	end = mode ? strchr(mode, ']') : NULL;
	if (!end) {
		rt_finding_set(f, RT_VERDICT_OK, "%s", line);
		return;
	}
	*end = 0;
	if (strcmp(mode + 1, "confidentiality")) {
		rt_finding_set(f, RT_VERDICT_OK, "%s", mode + 1);
		return;
	}
	rt_finding_set(f, RT_VERDICT_FAIL,
		       "confidentiality: the kernel lets nobody read its memory");
	rt_finding_fix(f, "boot with lockdown=integrity, or turn Secure Boot off");
}

void rt_check_kptr(struct rt_machine *m, struct rt_finding *f)
{
	char path[PATH_MAX], line[32];
	int level;

	if (rt_file_line(rt_machine_path(m, path, "/proc/sys/kernel/kptr_restrict"), line,
			 sizeof(line)) < 0) {
		rt_finding_set(f, RT_VERDICT_NOTE, "/proc/sys/kernel/kptr_restrict cannot be read");
		rt_finding_fix(f, "mount -t proc proc /proc");
		return;
	}
	level = atoi(line);
	if (level < 2) {
		rt_finding_set(f, RT_VERDICT_OK, "shown to root (kptr_restrict is %d)", level);
		return;
	}
	rt_finding_set(f, RT_VERDICT_NOTE,
		       "hidden even from root (kptr_restrict is %d): no kernel symbols", level);
	rt_finding_fix(f, "sysctl -w kernel.kptr_restrict=1");
}

void rt_check_tracefs(struct rt_machine *m, struct rt_finding *f)
{
	static const char *const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	char path[PATH_MAX];
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (!rt_file_exists(rt_machine_path(m, path, "%s/events", places[i])))
			continue;
		rt_finding_set(f, RT_VERDICT_OK, "%s", places[i]);
		return;
	}
	rt_finding_set(f, RT_VERDICT_NOTE, "not mounted: tracepoints cannot be listed by name");
	rt_finding_fix(f, "mount -t tracefs tracefs /sys/kernel/tracing");
}
