// SPDX-License-Identifier: GPL-2.0
#include "record/placement.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES	  "/sys/devices/system/node"
#define NODES_MAX 1024U

/* Append the CPUs of the list, "0-3,8-11", to the order. */
static uint32_t append(struct rt_placement *p, uint32_t count, uint32_t node, const char *list)
{
	unsigned long first, last;
	char *end;

	while (*list >= '0' && *list <= '9') {
		first = last = strtoul(list, &end, 10);
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (; first <= last && first < p->cpus; first++)
			if (p->node[first] == UINT32_MAX) {
				p->node[first] = node;
				p->order[count++] = first;
			}
		list = *end == ',' ? end + 1 : "";
	}
	return count;
}

/* The nodes of this machine may have numbers with holes. */
static uint32_t read_nodes(struct rt_placement *p, const char *dir)
{
	char path[PATH_MAX], *line = NULL;
	uint32_t node, before, count = 0;
	size_t room = 0;
	FILE *f;

	for (node = 0; node < NODES_MAX && count < p->cpus; node++) {
		snprintf(path, sizeof(path), "%s/node%u/cpulist", dir, node);
		f = fopen(path, "re");
		if (!f)
			continue;
		before = count;
		if (getline(&line, &room, f) > 0)
			count = append(p, count, p->nodes, line);
		fclose(f);
		p->nodes += count > before;
	}
	free(line);
	return count;
}

int rt_placement_read(struct rt_placement *p, const char *dir, uint32_t cpus)
{
	uint32_t cpu, count;

	*p = (struct rt_placement){ .cpus = cpus };
	p->order = calloc(cpus, sizeof(*p->order));
	p->node = malloc(cpus * sizeof(*p->node));
	if (!p->order || !p->node) {
		rt_placement_free(p);
		return -ENOMEM;
	}
	memset(p->node, 0xff, cpus * sizeof(*p->node));
	count = read_nodes(p, dir ? dir : NODES);
	if (!p->nodes)
		p->nodes = 1;
	/* CPUs that are offline are of no node. */
	for (cpu = 0; cpu < cpus; cpu++)
		if (p->node[cpu] == UINT32_MAX) {
			p->node[cpu] = 0;
			p->order[count++] = cpu;
		}
	return 0;
}

void rt_placement_free(struct rt_placement *p)
{
	free(p->order);
	free(p->node);
	p->order = p->node = NULL;
}

void rt_placement_bind(const struct rt_placement *p, pthread_t thread, uint32_t from, uint32_t to)
{
	uint32_t i, node = p->node[p->order[from]], cpu;
	/* The kernel wants room for all CPUs that it could have. */
	uint32_t room = p->cpus > CPU_SETSIZE ? p->cpus : CPU_SETSIZE;
	size_t bytes = CPU_ALLOC_SIZE(room);
	cpu_set_t *set;

	if (p->nodes < 2)
		return;
	for (i = from; i < to; i++)
		if (p->node[p->order[i]] != node)
			return;
	set = CPU_ALLOC(room);
	if (set && !pthread_getaffinity_np(pthread_self(), bytes, set)) {
		for (cpu = 0; cpu < p->cpus; cpu++)
			if (p->node[cpu] != node)
				CPU_CLR_S(cpu, bytes, set);
		if (CPU_COUNT_S(bytes, set))
			pthread_setaffinity_np(thread, bytes, set);
	}
	CPU_FREE(set);
}
