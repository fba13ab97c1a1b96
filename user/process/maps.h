/* SPDX-License-Identifier: GPL-2.0 */
/*
 * maps.h - the mappings of a process at one moment.
 *
 * A list of mappings never changes while another thread uses it.  A thread that formats a sample
 * holds the list as it was when the sample was taken.  The thread that applies the MMAP records
 * makes a new list if the old one is held, and otherwise changes it in place.  So a starting
 * process costs no copies, and a fork costs a reference.
 */
#ifndef RT_PROCESS_MAPS_H
#define RT_PROCESS_MAPS_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/unwind/unwind.h"

struct rt_map {
	uint64_t start, end; /* end is behind the last byte */
	uint64_t pgoff;
	struct rt_object *object;
};

struct rt_maps {
	int refs;	  /* atomic: workers drop references */
	uint64_t id;	  /* every list, and every change of a list, has a new id */
	uint64_t held_by; /* for the reading thread: who took a reference last */
	size_t count, room;
	struct rt_map *list; /* sorted by address, never overlapping */
};

/* An empty list with one reference; NULL if there is no memory. */
struct rt_maps *rt_maps_new(void);
struct rt_maps *rt_maps_hold(struct rt_maps *maps);
void rt_maps_drop(struct rt_maps *maps);

/*
 * Insert a mapping; cut away what it covers of others, as munmap would. *maps is replaced if
 * another thread holds it.  0 or -ENOMEM.
 */
int rt_maps_insert(struct rt_maps **maps, const struct rt_map *map);

/* The start of an object's lowest mapping; 0 if there is none. */
uint64_t rt_maps_lowest(void *maps, const struct rt_object *object);

/* The mapping that contains addr, or NULL. */
static inline const struct rt_map *rt_maps_find(const struct rt_maps *maps, uint64_t addr)
{
	size_t low = 0, high = maps->count;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct rt_map *m = &maps->list[mid];

		if (addr < m->start)
			high = mid;
		else if (addr >= m->end)
			low = mid + 1;
		else
			return m;
	}
	return NULL;
}

/* The same for an unwinder, whose `map_arg` is the list. */
bool rt_maps_unwind(void *maps, uint64_t addr, struct rt_unwind_map *map);

#endif
