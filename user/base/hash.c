// SPDX-License-Identifier: GPL-2.0
#include "base/hash.h"

#include <stdlib.h>

#include "base/large.h"

#define FIRST_SLOTS 1024u
#define MAX_SLOTS   (1u << 31)
#define BLOCK	    32

static void put(struct rt_index *x, uint32_t hash, uint32_t number)
{
	uint32_t at = hash & x->mask;

	while (x->slots[at].number)
		at = (at + 1) & x->mask;
	x->slots[at].hash = hash;
	x->slots[at].number = number;
}

static bool grow(struct rt_index *x)
{
	struct rt_index_slot *old = x->slots;
	uint32_t slots = old ? x->mask + 1 : 0, i;

	if (slots == MAX_SLOTS)
		return false;
	x->slots = rt_large_table(slots ? 2 * (size_t)slots : FIRST_SLOTS, sizeof(*x->slots));
	if (!x->slots) {
		x->slots = old;
		return false;
	}
	x->mask = (slots ? 2 * slots : FIRST_SLOTS) - 1;
	for (i = 0; i < slots; i++)
		if (old[i].number)
			put(x, old[i].hash, old[i].number);
	free(old);
	return true;
}

bool rt_index_reserve(struct rt_index *x, uint32_t count)
{
	uint32_t slots = FIRST_SLOTS;

	while (slots < MAX_SLOTS && slots / 4 * 3 <= count)
		slots *= 2;
	x->slots = rt_large_table(slots, sizeof(*x->slots));
	x->mask = x->slots ? slots - 1 : 0;
	return x->slots;
}

bool rt_index_add(struct rt_index *x, uint64_t hash, uint32_t number)
{
	if ((!x->slots || x->count >= (x->mask + 1) / 4 * 3) && !grow(x))
		return false;
	put(x, (uint32_t)(hash >> 32), number);
	x->count++;
	return true;
}

void rt_index_free(struct rt_index *x)
{
	free(x->slots);
	x->slots = NULL;
	x->mask = x->count = 0;
}

/* Keep four independent sums: a single one would wait for each multiplication. */
static void hash_block(uint64_t h[4], const char *block)
{
	uint64_t w[4];
	unsigned int i;

	memcpy(w, block, sizeof(w));
	for (i = 0; i < 4; i++)
		h[i] = (h[i] ^ h[i] >> 29 ^ w[i]) * 0x9e3779b97f4a7c15ULL;
}

uint64_t rt_hash_large(const void *data, size_t size)
{
	uint64_t h[4] = { size, 2, 3, 4 };
	char last[BLOCK] = { 0 };
	const char *at = data;

	for (; size >= BLOCK; size -= BLOCK, at += BLOCK)
		hash_block(h, at);
	memcpy(last, at, size);
	hash_block(h, last);
	return h[0] ^ h[1] * 3 ^ h[2] * 5 ^ h[3] * 7;
}
