/* SPDX-License-Identifier: GPL-2.0 */
/*
 * maps.h - what a process had mapped where, at one moment.
 *
 * A list of mappings never changes while somebody else looks at it: whoever formats
 * a sample holds the list as it was when the sample was taken, the thread that
 * applies the MMAP records makes a new one when the old is held, and changes it in
 * place when it is not.  So a process that only starts costs no copies, and a fork
 * costs a reference.
 */
#ifndef RT_PROCESS_MAPS_H
#define RT_PROCESS_MAPS_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/unwind.h"

struct rt_map {
	uint64_t start, end; /* end is behind the last byte */
	uint64_t pgoff;
	struct rt_object *object;
};

struct rt_maps {
	int refs;	  /* atomic: workers let go of it */
	uint64_t id;	  /* another list, or the same list changed, has another id */
	uint64_t held_by; /* a note of the reading thread's: who took a reference last */
	size_t count, room;
	struct rt_map *list; /* by address, never overlapping */
};

/* An empty list with one reference; NULL without memory. */
struct rt_maps *rt_maps_new(void);
struct rt_maps *rt_maps_hold(struct rt_maps *maps);
void rt_maps_drop(struct rt_maps *maps);

/*
 * Put a mapping in; what it covers of others is cut away, as munmap would.
 * *maps is replaced when somebody else holds it.  0 or -ENOMEM.
 */
int rt_maps_insert(struct rt_maps **maps, const struct rt_map *map);

/* Where the lowest mapping of an object begins; 0 when there is none. */
uint64_t rt_maps_lowest(void *maps, const struct rt_object *object);

/* The mapping that holds addr, or NULL. */
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
