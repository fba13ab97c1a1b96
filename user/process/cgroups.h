/* SPDX-License-Identifier: GPL-2.0 */
/* cgroups.h - the cgroups of the recorded machine: numbers in samples, paths in records. */
#ifndef RT_PROCESS_CGROUPS_H
#define RT_PROCESS_CGROUPS_H

#include <stddef.h>
#include <stdint.h>

struct rt_cgroups { /* all zero: empty */
	struct rt_cgroup {
		uint64_t id;
		char *path;
	} * list; /* by id */
	size_t count, room;
};

void rt_cgroups_free(struct rt_cgroups *c);
/* Keep a path; like perf, the first one of a number.  0 or -ENOMEM. */
int rt_cgroups_add(struct rt_cgroups *c, uint64_t id, const char *path);
/* The path of a cgroup; NULL: unknown. */
const char *rt_cgroups_find(const struct rt_cgroups *c, uint64_t id);

#endif
