// SPDX-License-Identifier: GPL-2.0
#include "host/description.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "host/host.h"

#define CPUINFO_MAX (16 * 1024 * 1024)
#define PMU_DIR	    "/sys/bus/event_source/devices"
#define MIDR_PATH   "/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1"
#define MIDR_CPUS   64			   /* CPUs to try before giving up: some may be offline */
#define MIDR_STEP   (0xf00000ULL | 0xfULL) /* variant and revision, which perf leaves out */

/* The value of the first "KEY : value" line of /proc/cpuinfo, with white space squeezed. */
static void cpuinfo_value(const char *text, const char *key, char *value, size_t size)
{
	size_t len = strlen(key), n = 0;
	const char *p;

	value[0] = 0;
	for (p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
		if (strncmp(p, key, len))
			continue;
		p += len;
		p += strspn(p, " \t");
		if (*p != ':')
			continue;
		p++;
		while (*p && *p != '\n' && n < size - 1) {
			if (*p != ' ' && *p != '\t')
				value[n++] = *p;
			else if (n && value[n - 1] != ' ')
				value[n++] = ' ';
			p++;
		}
		while (n && value[n - 1] == ' ')
			n--;
		value[n] = 0;
		return;
	}
}

static void read_cpu_desc(struct rt_host_description *h, const char *cpuinfo)
{
	char implementer[32], part[32];

	cpuinfo_value(cpuinfo, "model name", h->cpu_desc, sizeof(h->cpu_desc));
	if (h->cpu_desc[0])
		return;
	cpuinfo_value(cpuinfo, "CPU implementer", implementer, sizeof(implementer));
	cpuinfo_value(cpuinfo, "CPU part", part, sizeof(part));
	if (implementer[0] && part[0])
		snprintf(h->cpu_desc, sizeof(h->cpu_desc), "implementer %s part %s", implementer,
			 part);
}

/* Use perf's format, which differs per architecture: tools look events up by this string. */
static void read_cpuid(struct rt_host_description *h, const char *cpuinfo)
{
	char vendor[32], family[16], model[16], stepping[16], path[128], line[64];
	unsigned cpu;

	cpuinfo_value(cpuinfo, "vendor_id", vendor, sizeof(vendor));
	cpuinfo_value(cpuinfo, "cpu family", family, sizeof(family));
	cpuinfo_value(cpuinfo, "model", model, sizeof(model));
	cpuinfo_value(cpuinfo, "stepping", stepping, sizeof(stepping));
	if (vendor[0] && family[0] && model[0] && stepping[0]) {
		snprintf(h->cpuid, sizeof(h->cpuid), "%s,%s,%s,%s", vendor, family, model,
			 stepping);
		return;
	}
	for (cpu = 0; cpu < MIDR_CPUS; cpu++) {
		snprintf(path, sizeof(path), MIDR_PATH, cpu);
		if (rt_file_line(path, line, sizeof(line)))
			continue;
		snprintf(h->cpuid, sizeof(h->cpuid), "0x%016llx",
			 strtoull(line, NULL, 16) & ~MIDR_STEP);
		return;
	}
}

static void read_memory(struct rt_host_description *h)
{
	char line[128];

	if (!rt_file_line("/proc/meminfo", line, sizeof(line)) && !strncmp(line, "MemTotal:", 9))
		h->total_mem = strtoull(line + 9, NULL, 10);
}

static int by_type(const void *a, const void *b)
{
	const struct rt_host_description_pmu *x = a, *y = b;

	return x->type < y->type ? -1 : x->type > y->type;
}

static void read_pmus(struct rt_host_description *h)
{
	struct rt_host_description_pmu *pmus;
	char path[PATH_MAX], line[32];
	struct dirent *entry;
	DIR *dir = opendir(PMU_DIR);

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || strlen(entry->d_name) >= sizeof(pmus->name))
			continue;
		snprintf(path, sizeof(path), PMU_DIR "/%s/type", entry->d_name);
		if (rt_file_line(path, line, sizeof(line)))
			continue;
		pmus = realloc(h->pmus, (h->pmu_count + 1) * sizeof(*pmus));
		if (!pmus)
			break;
		h->pmus = pmus;
		pmus[h->pmu_count].type = strtoul(line, NULL, 10);
		strcpy(pmus[h->pmu_count].name, entry->d_name);
		h->pmu_count++;
	}
	if (dir)
		closedir(dir);
	if (h->pmu_count)
		qsort(h->pmus, h->pmu_count, sizeof(*h->pmus), by_type);
}

void rt_host_describe(struct rt_host_description *h)
{
	char *cpuinfo;

	memset(h, 0, sizeof(*h));
	snprintf(h->hostname, sizeof(h->hostname), "%s", rt_host_node());
	snprintf(h->os_release, sizeof(h->os_release), "%s", rt_host_release(NULL));
	snprintf(h->arch, sizeof(h->arch), "%s", rt_host_machine());
	h->cpus_avail = sysconf(_SC_NPROCESSORS_CONF);
	h->cpus_online = sysconf(_SC_NPROCESSORS_ONLN);
	if (!rt_file_read("/proc/cpuinfo", CPUINFO_MAX, &cpuinfo, NULL)) {
		read_cpu_desc(h, cpuinfo);
		read_cpuid(h, cpuinfo);
		free(cpuinfo);
	}
	read_memory(h);
	read_pmus(h);
}

void rt_host_description_free(struct rt_host_description *h)
{
	free(h->pmus);
	h->pmus = NULL;
	h->pmu_count = 0;
}
