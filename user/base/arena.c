// SPDX-License-Identifier: GPL-2.0
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/large.h"

#define ARENA_BLOCK_MIN (4 * 1024UL)
#define ARENA_BLOCK_MAX (8 * 1024 * 1024UL)
#define ARENA_ALIGN	16UL

struct rt_arena_block {
	struct rt_arena_block *next;
	size_t used, size;
	char data[] __attribute__((aligned(16)));
};

static struct rt_arena_block *grow(struct rt_arena *a, size_t need)
{
	size_t size = a->head ? a->head->size * 2 : ARENA_BLOCK_MIN;
	struct rt_arena_block *b;

	if (size > ARENA_BLOCK_MAX)
		size = ARENA_BLOCK_MAX;
	if (size < need)
		size = need;
	b = rt_large_list(NULL, 1, sizeof(*b) + size);
	if (!b)
		return NULL;
	b->next = a->head;
	b->used = 0;
	b->size = size;
	a->head = b;
	return b;
}

static void *cut(struct rt_arena *a, size_t size, size_t align)
{
	struct rt_arena_block *b = a->head;
	size_t at;

	if (size > SIZE_MAX / 2)
		return NULL;
	at = b ? (b->used + align - 1) & ~(align - 1) : 0;
	if (!b || at > b->size || size > b->size - at) {
		b = grow(a, size);
		if (!b)
			return NULL;
		at = 0;
	}
	b->used = at + size;
	return b->data + at;
}

void *rt_arena_alloc(struct rt_arena *a, size_t size)
{
	void *p = cut(a, size, ARENA_ALIGN);

	if (p)
		memset(p, 0, size);
	return p;
}

void *rt_arena_array(struct rt_arena *a, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		return NULL;
	return rt_arena_alloc(a, count * size);
}

char *rt_arena_strn(struct rt_arena *a, const char *s, size_t len)
{
	char *p;

	len = strnlen(s, len);
	p = cut(a, len + 1, 1);
	if (p) {
		memcpy(p, s, len);
		p[len] = '\0';
	}
	return p;
}

char *rt_arena_str(struct rt_arena *a, const char *s)
{
	return rt_arena_strn(a, s, strlen(s));
}

void rt_arena_free(struct rt_arena *a)
{
	struct rt_arena_block *b = a->head, *next;

	for (; b; b = next) {
		next = b->next;
		free(b);
	}
	a->head = NULL;
}
