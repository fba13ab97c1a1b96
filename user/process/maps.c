// SPDX-License-Identifier: GPL-2.0
#include "process/maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 16

/* Only the thread that applies records makes and changes lists. */
static uint64_t next_id(void)
{
	static uint64_t id;

	return __atomic_add_fetch(&id, 1, __ATOMIC_RELAXED);
}

struct rt_maps *rt_maps_new(void)
{
	struct rt_maps *maps = calloc(1, sizeof(*maps));

	if (maps) {
		maps->refs = 1;
		maps->id = next_id();
	}
	return maps;
}

struct rt_maps *rt_maps_hold(struct rt_maps *maps)
{
	__atomic_add_fetch(&maps->refs, 1, __ATOMIC_RELAXED);
	return maps;
}

void rt_maps_drop(struct rt_maps *maps)
{
	if (maps && !__atomic_sub_fetch(&maps->refs, 1, __ATOMIC_ACQ_REL)) {
		free(maps->list);
		free(maps);
	}
}

static int make_room(struct rt_maps *maps, size_t count)
{
	size_t room = maps->room ? maps->room : FIRST_ROOM;
	struct rt_map *list;

	while (room < count)
		room *= 2;
	if (room == maps->room)
		return 0;
	list = realloc(maps->list, room * sizeof(*list));
	if (!list)
		return -ENOMEM;
	maps->list = list;
	maps->room = room;
	return 0;
}

/* Make *maps a list that only the caller holds, with room for two more. */
static int own(struct rt_maps **maps)
{
	struct rt_maps *old = *maps, *copy;

	if (__atomic_load_n(&old->refs, __ATOMIC_ACQUIRE) == 1) {
		old->id = next_id();
		return make_room(old, old->count + 2);
	}
	copy = rt_maps_new();
	if (!copy)
		return -ENOMEM;
	if (make_room(copy, old->count + 2)) {
		rt_maps_drop(copy);
		return -ENOMEM;
	}
	if (old->count)
		memcpy(copy->list, old->list, old->count * sizeof(*copy->list));
	copy->count = old->count;
	*maps = copy;
	rt_maps_drop(old);
	return 0;
}

int rt_maps_insert(struct rt_maps **mapsp, const struct rt_map *map)
{
	const struct rt_map *old = rt_maps_find(*mapsp, map->start);
	struct rt_map with[3], *list;
	size_t first, last, n = 0;
	struct rt_maps *maps;
	int ret;

	if (map->end <= map->start)
		return 0;
	/*
	 * Programs often map memory where they had the same before.  Nothing changes then, and what
	 * others keep for this list stays valid.
	 */
	if (old && old->start == map->start && old->end == map->end && old->pgoff == map->pgoff &&
	    old->object == map->object)
		return 0;
	ret = own(mapsp);
	if (ret)
		return ret;
	maps = *mapsp;
	list = maps->list;

	/* [first, last) are the mappings that overlap. */
	for (last = maps->count; last > 0 && list[last - 1].start >= map->end; last--)
		;
	for (first = last; first > 0 && list[first - 1].end > map->start; first--)
		;
	if (first < last && list[first].start < map->start) {
		with[n] = list[first];
		with[n++].end = map->start;
	}
	with[n++] = *map;
	if (first < last && list[last - 1].end > map->end) {
		with[n] = list[last - 1];
		with[n].pgoff += map->end - with[n].start;
		with[n++].start = map->end;
	}
	memmove(list + first + n, list + last, (maps->count - last) * sizeof(*list));
	memcpy(list + first, with, n * sizeof(*list));
	maps->count += n - (last - first);
	return 0;
}

bool rt_maps_unwind(void *maps, uint64_t addr, struct rt_unwind_map *map)
{
	const struct rt_map *m = rt_maps_find(maps, addr);

	if (!m)
		return false;
	map->start = m->start;
	map->end = m->end;
	map->pgoff = m->pgoff;
	map->object = m->object;
	return true;
}

uint64_t rt_maps_lowest(void *arg, const struct rt_object *object)
{
	const struct rt_maps *maps = arg;
	size_t i;

	for (i = 0; i < maps->count; i++)
		if (maps->list[i].object == object)
			return maps->list[i].start;
	return 0;
}
