// SPDX-License-Identifier: GPL-2.0
#include "base/text_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const char *text)
{
	return rt_hash_bytes(0, text, strlen(text));
}

/* The number from 1 up; 0: it is not there. */
static uint32_t find(const struct rt_text_set *set, const char *text)
{
	struct rt_index_probe probe;
	uint32_t number = rt_index_first(&set->index, hash_of(text), &probe);

	while (number && strcmp(set->texts[number - 1], text))
		number = rt_index_next(&set->index, &probe);
	return number;
}

bool rt_text_set_has(const struct rt_text_set *set, const char *text)
{
	return find(set, text);
}

static int append(struct rt_text_set *set, const char *text)
{
	uint32_t room = set->room ? 2 * set->room : 64;
	const char **texts, *copy;

	if (set->count == set->room) {
		texts = realloc(set->texts, room * sizeof(*texts));
		if (!texts)
			return -ENOMEM;
		set->texts = texts;
		set->room = room;
	}
	copy = rt_arena_str(&set->arena, text);
	if (!copy || !rt_index_add(&set->index, hash_of(text), set->count + 1))
		return -ENOMEM;
	set->texts[set->count++] = copy;
	return 1;
}

int rt_text_set_add(struct rt_text_set *set, const char *text)
{
	return find(set, text) ? 0 : append(set, text);
}

int64_t rt_text_set_number(struct rt_text_set *set, const char *text)
{
	uint32_t number = find(set, text);

	if (number)
		return number - 1;
	return append(set, text) < 0 ? -ENOMEM : (int64_t)set->count - 1;
}

void rt_text_set_free(struct rt_text_set *set)
{
	rt_arena_free(&set->arena);
	rt_index_free(&set->index);
	free(set->texts);
	memset(set, 0, sizeof(*set));
}
