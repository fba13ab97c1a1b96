// SPDX-License-Identifier: GPL-2.0
#include "host/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

static int try_open(uint32_t type, uint64_t config, bool user_only)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.disabled = 1,
		.exclude_kernel = user_only,
		.exclude_hv = user_only,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

bool rt_counter_works(uint32_t type, uint64_t config)
{
	int ret = try_open(type, config, false);

	/* perf_event_paranoid may forbid the kernel's part alone. */
	if (ret == EACCES || ret == EPERM)
		ret = try_open(type, config, true);
	return !ret || ret == EACCES || ret == EPERM || ret == ENOSYS;
}
