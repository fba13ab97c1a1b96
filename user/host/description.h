/* SPDX-License-Identifier: GPL-2.0 */
/* description.h - facts about a machine for the header of a recording, in perf's terms. */
#ifndef RT_HOST_DESCRIPTION_H
#define RT_HOST_DESCRIPTION_H

#include <stddef.h>
#include <stdint.h>

struct rt_host_description_pmu {
	uint32_t type;
	char name[64];
};

/* An empty string or 0 means unknown; such fields are not written. */
struct rt_host_description {
	char hostname[256];
	char os_release[256];
	char arch[128];
	char cpu_desc[256];
	char cpuid[128];
	uint32_t cpus_avail, cpus_online;
	uint64_t total_mem; /* kB */
	struct rt_host_description_pmu *pmus;
	size_t pmu_count;
};

/* Read the facts of this machine; what cannot be read stays empty. */
void rt_host_describe(struct rt_host_description *host);
void rt_host_description_free(struct rt_host_description *host);

#endif
