// SPDX-License-Identifier: GPL-2.0
/* switches.c - the module's parameters that forbid a technique; docs/safety.md describes each. */
#include "doctor/doctor.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

static const char *const switches[] = { "lookup", "ftrace", "restore_caller", "watch_step",
					"watch_pause" };

void rt_check_switches(struct rt_doctor *m, struct rt_finding *f)
{
	char path[PATH_MAX], value[8], off[128] = "", lacks[128] = "";
	size_t i, used = 0, missing = 0;

	for (i = 0; i < sizeof(switches) / sizeof(*switches); i++) {
		rt_host_path(&m->host, path, "/sys/module/ringtail/parameters/%s", switches[i]);
		if (rt_file_line(path, value, sizeof(value)) < 0)
			missing += snprintf(lacks + missing, sizeof(lacks) - missing, "%s%s",
					    missing ? ", " : "", switches[i]);
		else if (strcmp(value, "Y"))
			used += snprintf(off + used, sizeof(off) - used, "%s%s=0", used ? ", " : "",
					 switches[i]);
	}
	rt_host_path(&m->host, path, "/sys/module/ringtail/parameters");
	if (!rt_file_exists(path))
		rt_finding_set(f, RT_VERDICT_UNCHECKED, "the module tells, once it is loaded");
	else if (used)
		rt_finding_set(
			f, RT_VERDICT_NOTE,
			"switched off by module parameters: %s; docs/safety.md says what does "
			"not work then",
			off);
	else if (missing)
		rt_finding_set(f, RT_VERDICT_OK, "nothing is switched off; this module has no %s",
			       lacks);
	else
		rt_finding_set(f, RT_VERDICT_OK, "nothing is switched off");
}
