/* SPDX-License-Identifier: GPL-2.0 */
/* cgroup.h - find a cgroup by the path of its directory, or by its name below the mount. */
#ifndef RT_HOST_CGROUP_H
#define RT_HOST_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "host/host.h"

struct rt_cgroup_place {
	uint64_t id; /* the inode number of its directory */
	bool v1;     /* of the hierarchy of version 1 that has the controller perf_event */
};

/* NAME is a path, or as for perf a name below the mount of perf_event or of version 2. */
int rt_cgroup_find(const struct rt_host *host, const char *name, struct rt_cgroup_place *place,
		   struct rt_err *err);

#endif
