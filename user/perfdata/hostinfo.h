/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hostinfo.h - the facts of a machine that go into the header of a recording,
 * in the words perf uses for them.
 */
#ifndef RT_PERFDATA_HOSTINFO_H
#define RT_PERFDATA_HOSTINFO_H

#include <stddef.h>
#include <stdint.h>

struct rt_host_pmu {
	uint32_t type;
	char name[64];
};

/* An empty string or 0: unknown, and not written. */
struct rt_host {
	char hostname[256];
	char os_release[256];
	char arch[128];
	char cpu_desc[256];
	char cpuid[128];
	uint32_t cpus_avail, cpus_online;
	uint64_t total_mem; /* kB */
	struct rt_host_pmu *pmus;
	size_t pmu_count;
};

/* Facts of this machine; what cannot be read is left empty. */
void rt_host_read(struct rt_host *host);
void rt_host_free(struct rt_host *host);

#endif
