// SPDX-License-Identifier: GPL-2.0
/* host_cpus.c - the CPUs that sysfs lists, under a root directory that the test makes. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/cpus.h"
#include "tap.h"

static char root[] = "/tmp/rt-cpus-XXXXXX";
static const struct rt_host host = { .root = root };

static int present(const char *text, struct rt_numbers *cpus)
{
	static const char *const dirs[] = { "/sys", "/sys/devices", "/sys/devices/system",
					    "/sys/devices/system/cpu" };
	char path[PATH_MAX];
	FILE *file;
	size_t i;

	for (i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		mkdir(rt_host_path(&host, path, "%s", dirs[i]), 0755);
	file = fopen(rt_host_path(&host, path, "/sys/devices/system/cpu/present"), "w");
	fputs(text, file);
	fclose(file);
	return rt_host_present_cpus(&host, cpus);
}

int main(void)
{
	struct rt_numbers cpus;
	char long_list[4200], command[64];

	ok(mkdtemp(root) != NULL, "a root directory");
	is_int(rt_host_present_cpus(&host, &cpus), -ENOENT, "without the file");
	is_int(present("0-3,8-11\n", &cpus), 0, "two ranges");
	ok(cpus.count == 2 && rt_numbers_has(&cpus, 11) && !rt_numbers_has(&cpus, 4),
	   "are what the file says");
	rt_numbers_free(&cpus);
	is_int(present("0\n", &cpus), 0, "one CPU");
	ok(cpus.count == 1 && rt_numbers_has(&cpus, 0) && !rt_numbers_has(&cpus, 1), "is CPU 0");
	rt_numbers_free(&cpus);
	is_int(present("", &cpus), -EINVAL, "an empty file");
	memset(long_list, '1', sizeof(long_list) - 1);
	long_list[sizeof(long_list) - 1] = 0;
	is_int(present(long_list, &cpus), -E2BIG, "a list that is too long is not cut");
	rt_numbers_free(&cpus);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	ok(!system(command), "removed");
	return tap_done();
}
