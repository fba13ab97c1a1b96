// SPDX-License-Identifier: GPL-2.0
/* kernel.c - settings of the running kernel that affect tracing. */
#include "doctor/doctor.h"

#include <stdbool.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "host/tracefs.h"

#define FILESYSTEMS_LIMIT (64U << 10)

void rt_check_lockdown(struct rt_doctor *m, struct rt_finding *f)
{
	/* since 5.4, and before that in kernels of distributions */
	static const char *const options[] = { "CONFIG_SECURITY_LOCKDOWN_LSM",
					       "CONFIG_LOCK_DOWN_KERNEL", NULL };
	char path[PATH_MAX], line[128];
	char *mode, *end;

	if (rt_file_line(rt_host_path(&m->host, path, "/sys/kernel/security/lockdown"), line,
			 sizeof(line)) < 0) {
		if (rt_config_lacks(m, options))
			rt_finding_set(f, RT_VERDICT_OK, "this kernel has none");
		else
			rt_finding_set(f, RT_VERDICT_UNCHECKED,
				       "this kernel has none, or securityfs is not mounted");
		return;
	}
	mode = strchr(line, '[');
	end = mode ? strchr(mode, ']') : NULL;
	if (!end) {
		rt_finding_set(f, RT_VERDICT_UNCHECKED, "%s", line);
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

/* One switch for all kprobes of the machine; setting it to 0 also disables ours. */
void rt_check_kprobes(struct rt_doctor *m, struct rt_finding *f)
{
	char path[PATH_MAX], line[16];

	if (rt_file_line(rt_host_path(&m->host, path, "/sys/kernel/debug/kprobes/enabled"), line,
			 sizeof(line)) < 0) {
		rt_finding_set(
			f, RT_VERDICT_UNCHECKED, "no switch to look at (%s); record finds out",
			rt_file_forbidden(path) ? "no permission" : "debugfs is not mounted");
		return;
	}
	if (strcmp(line, "0")) {
		rt_finding_set(f, RT_VERDICT_OK, "switched on%s",
			       rt_module_lacks(m, RT_SOURCE_KPROBE_RELATIVE) ?
				       "; this kernel refuses them at instructions that address "
				       "memory relative to %rip" :
				       "");
		return;
	}
	rt_finding_set(f, RT_VERDICT_NOTE,
		       "switched off: no kprobe or kretprobe is hit, and programs that are started "
		       "while recording have no names");
	rt_finding_fix(f, "echo 1 >/sys/kernel/debug/kprobes/enabled");
}

void rt_check_kptr(struct rt_doctor *m, struct rt_finding *f)
{
	char path[PATH_MAX], line[32];
	int level;

	if (rt_file_line(rt_host_path(&m->host, path, "/proc/sys/kernel/kptr_restrict"), line,
			 sizeof(line)) < 0) {
		rt_finding_set(f, RT_VERDICT_UNCHECKED,
			       "/proc/sys/kernel/kptr_restrict cannot be read");
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

void rt_check_tracefs(struct rt_doctor *m, struct rt_finding *f)
{
	char path[PATH_MAX];
	char *known = NULL;
	bool forbidden;

	if (rt_tracefs_path(&m->host, path, &forbidden)) {
		rt_finding_set(f, RT_VERDICT_OK, "%s", path + strlen(m->host.root));
		return;
	}
	if (forbidden) {
		rt_finding_set(f, RT_VERDICT_UNCHECKED, "no permission to look at it");
		rt_finding_fix(f, "sudo ringtail doctor");
		return;
	}
	rt_finding_set(f, RT_VERDICT_NOTE, "not mounted: tracepoints cannot be listed by name");
	/* Before 4.1 it was a directory of debugfs. */
	if (!rt_file_read(rt_host_path(&m->host, path, "/proc/filesystems"), FILESYSTEMS_LIMIT,
			  &known, NULL) &&
	    !strstr(known, "\ttracefs\n"))
		rt_finding_fix(f, "mount -t debugfs debugfs /sys/kernel/debug");
	else
		rt_finding_fix(f, "mount -t tracefs tracefs /sys/kernel/tracing");
	free(known);
}
