// SPDX-License-Identifier: GPL-2.0
#include "report/pool.h"

#include <stdlib.h>
#include <string.h>

void rt_pool_free(struct rt_pool *p)
{
	rt_arena_free(&p->arena);
	rt_index_free(&p->index);
	free(p->list);
}

uint32_t rt_pool_bytes(struct rt_pool *p, const void *bytes, size_t len)
{
	uint64_t hash = rt_hash_bytes(len, bytes, len);
	struct rt_index_probe probe;
	char *copy;
	uint32_t i;

	for (i = rt_index_first(&p->index, hash, &probe); i; i = rt_index_next(&p->index, &probe))
		if (p->list[i - 1].hash == hash && p->list[i - 1].len == len &&
		    !memcmp(p->list[i - 1].bytes, bytes, len))
			return i;
	if (p->count == p->room) {
		uint32_t room = p->room ? 2 * p->room : 64;
		void *list = realloc(p->list, room * sizeof(*p->list));

		if (!list)
			return 0;
		p->list = list;
		p->room = room;
	}
	copy = rt_arena_alloc(&p->arena, len + 1);
	if (!copy || !rt_index_add(&p->index, hash, p->count + 1))
		return 0;
	memcpy(copy, bytes, len);
	p->list[p->count] = (struct rt_pool_value){ hash, copy, len };
	return ++p->count;
}

uint32_t rt_pool_text(struct rt_pool *p, const char *text)
{
	return rt_pool_bytes(p, text, strlen(text));
}

const char *rt_pool_get(const struct rt_pool *p, uint32_t number)
{
	return number ? p->list[number - 1].bytes : "";
}
