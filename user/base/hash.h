/* SPDX-License-Identifier: GPL-2.0 */
/* hash.h - hashes, and an index from a hash to numbers of entries that are kept elsewhere. */
#ifndef RT_BASE_HASH_H
#define RT_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t rt_hash_mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ b * 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;

	return (h ^ h >> 29) * 0xc4ceb9fe1a85ec53ull;
}

static inline uint64_t rt_hash_bytes(uint64_t h, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;

	for (; n; n--, at++)
		h = (h ^ *at) * 1099511628211ull;
	return rt_hash_mix(h, n);
}

/* The same by words; for the many names of a kernel. */
static inline uint64_t rt_hash_name(uint64_t h, const char *name)
{
	size_t n = strlen(name);
	uint64_t word;

	for (; n >= sizeof(word); n -= sizeof(word), name += sizeof(word)) {
		memcpy(&word, name, sizeof(word));
		h = rt_hash_mix(h, word);
	}
	word = 0;
	memcpy(&word, name, n);
	return rt_hash_mix(h, word ^ n << 56);
}

/* For megabytes: several times as fast. */
uint64_t rt_hash_large(const void *data, size_t size);

/* Open addressing: each slot holds a number from 1 up, and half of its hash. */
struct rt_index {
	struct rt_index_slot {
		uint32_t hash, number;
	} * slots;
	uint32_t mask, count;
};

struct rt_index_probe {
	uint32_t hash, at;
};

static inline uint32_t rt_index_next(const struct rt_index *x, struct rt_index_probe *p)
{
	for (; x->slots[p->at].number; p->at = (p->at + 1) & x->mask)
		if (x->slots[p->at].hash == p->hash) {
			uint32_t number = x->slots[p->at].number;

			p->at = (p->at + 1) & x->mask;
			return number;
		}
	return 0;
}

/* The first number that was added with this hash; 0: none. */
static inline uint32_t rt_index_first(const struct rt_index *x, uint64_t hash,
				      struct rt_index_probe *p)
{
	if (!x->slots)
		return 0;
	p->hash = (uint32_t)(hash >> 32);
	p->at = p->hash & x->mask;
	return rt_index_next(x, p);
}

/* Make room for COUNT numbers in an empty index, which then does not grow; false if there is no memory. */
bool rt_index_reserve(struct rt_index *x, uint32_t count);
/* Add a number; false if there is no memory. */
bool rt_index_add(struct rt_index *x, uint64_t hash, uint32_t number);
void rt_index_free(struct rt_index *x);

#endif
