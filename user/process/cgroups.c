// SPDX-License-Identifier: GPL-2.0
#include "process/cgroups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void rt_cgroups_free(struct rt_cgroups *c)
{
	size_t i;

	for (i = 0; i < c->count; i++)
		free(c->list[i].path);
	free(c->list);
	memset(c, 0, sizeof(*c));
}

/* Where the number is, or where it belongs. */
static size_t place_of(const struct rt_cgroups *c, uint64_t id)
{
	size_t low = 0, high = c->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (c->list[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int rt_cgroups_add(struct rt_cgroups *c, uint64_t id, const char *path)
{
	size_t at = place_of(c, id);
	char *copy;

	if (at < c->count && c->list[at].id == id)
		return 0;
	if (c->count == c->room) {
		size_t room = c->room ? 2 * c->room : 16;
		void *list = realloc(c->list, room * sizeof(*c->list));

		if (!list)
			return -ENOMEM;
		c->list = list;
		c->room = room;
	}
	copy = strdup(path);
	if (!copy)
		return -ENOMEM;
	memmove(&c->list[at + 1], &c->list[at], (c->count - at) * sizeof(*c->list));
	c->list[at].id = id;
	c->list[at].path = copy;
	c->count++;
	return 0;
}

const char *rt_cgroups_find(const struct rt_cgroups *c, uint64_t id)
{
	size_t at = place_of(c, id);

	return at < c->count && c->list[at].id == id ? c->list[at].path : NULL;
}
