// SPDX-License-Identifier: GPL-2.0
#include "image/kcore.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { PARTS_MAX = 1024, DISTANCES_MAX = 16 };

struct part {
	uint64_t start, end; /* the last byte */
};

/* A distance, and how many segments have it.  All memory lies at it, other mappings do not. */
struct candidate {
	uint64_t distance;
	unsigned int segments;
};

static size_t read_parts(struct part *parts, FILE *iomem)
{
	size_t count = 0;
	char line[256];

	while (count < PARTS_MAX && fgets(line, sizeof(line), iomem)) {
		struct part *p = &parts[count];

		/* What is nested is indented.  Without privileges the kernel shows zeros. */
		if (line[0] != ' ' && strstr(line, " : System RAM") &&
		    sscanf(line, "%" SCNx64 "-%" SCNx64, &p->start, &p->end) == 2 &&
		    p->end > p->start)
			count++;
	}
	return count;
}

/* The physical address of the segment, if it has the size of this part of memory; else 0. */
static uint64_t address_in(const struct part *p, const Elf64_Phdr *segment)
{
	uint64_t page = segment->p_align ? segment->p_align : 4096;
	uint64_t first = (p->start + page - 1) / page * page;
	uint64_t behind = (p->end + 1) / page * page;

	return behind > first && segment->p_memsz == behind - first ? first : 0;
}

static void note(struct candidate *candidates, uint64_t distance)
{
	struct candidate *c;

	for (c = candidates; c < candidates + DISTANCES_MAX; c++)
		if (!c->segments || c->distance == distance) {
			c->distance = distance;
			c->segments++;
			return;
		}
}

size_t rt_kcore_place(Elf64_Phdr *segments, size_t count, FILE *iomem)
{
	struct candidate candidates[DISTANCES_MAX] = { { 0 } }, *best = candidates, *c;
	struct part parts[PARTS_MAX];
	size_t all = read_parts(parts, iomem), i, j, placed = 0;
	uint64_t address;

	for (i = 0; i < count; i++)
		for (j = 0; j < all && segments[i].p_type == PT_LOAD; j++) {
			address = address_in(&parts[j], &segments[i]);
			if (address)
				note(candidates, segments[i].p_vaddr - address);
		}
	for (c = candidates; c < candidates + DISTANCES_MAX; c++)
		if (c->segments > best->segments)
			best = c;
	for (i = 0; best->segments && i < count; i++)
		for (j = 0; j < all && segments[i].p_type == PT_LOAD; j++) {
			address = segments[i].p_vaddr - best->distance;
			if (address < parts[j].start || address > parts[j].end)
				continue;
			segments[i].p_paddr = address;
			placed++;
			break;
		}
	return placed;
}
