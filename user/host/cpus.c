// SPDX-License-Identifier: GPL-2.0
#include "host/cpus.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"

int rt_host_present_cpus(const struct rt_host *host, struct rt_numbers *cpus)
{
	char path[PATH_MAX], list[4096];
	struct rt_err err;

	memset(cpus, 0, sizeof(*cpus));
	rt_host_path(host, path, "/sys/devices/system/cpu/present");
	if (rt_file_line(path, list, sizeof(list)))
		return -ENOENT;
	if (strlen(list) == sizeof(list) - 1)
		return -E2BIG; /* cut */
	return rt_numbers_parse(cpus, "present", list, &err);
}
