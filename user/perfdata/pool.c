// SPDX-License-Identifier: GPL-2.0
#include "perfdata/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE 16384
#define ALIGN	   16

struct rt_pool_chunk {
	struct rt_pool_chunk *next;
	size_t used, size;
	char data[] __attribute__((aligned(ALIGN)));
};

static struct rt_pool_chunk *chunk_new(struct rt_pool *pool, size_t size)
{
	struct rt_pool_chunk *chunk;

	if (size > SIZE_MAX - sizeof(*chunk))
		return NULL;
	chunk = calloc(1, sizeof(*chunk) + size);
	if (!chunk)
		return NULL;
	chunk->size = size;
	chunk->next = pool->chunks;
	pool->chunks = chunk;
	return chunk;
}

void *rt_pool_alloc(struct rt_pool *pool, size_t size)
{
	struct rt_pool_chunk *chunk = pool->chunks;
	void *p;

	if (size > SIZE_MAX - ALIGN)
		return NULL;
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (!chunk || chunk->size - chunk->used < size) {
		chunk = chunk_new(pool, size > CHUNK_SIZE ? size : CHUNK_SIZE);
		if (!chunk)
			return NULL;
	}
	p = chunk->data + chunk->used;
	chunk->used += size;
	return p;
}

void *rt_pool_array(struct rt_pool *pool, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		return NULL;
	return rt_pool_alloc(pool, count * size);
}

char *rt_pool_string(struct rt_pool *pool, const char *s, size_t len)
{
	char *copy;

	len = strnlen(s, len);
	copy = rt_pool_alloc(pool, len + 1);
	if (copy)
		memcpy(copy, s, len);
	return copy;
}

void rt_pool_free(struct rt_pool *pool)
{
	struct rt_pool_chunk *chunk = pool->chunks, *next;

	for (; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	pool->chunks = NULL;
}
