// SPDX-License-Identifier: GPL-2.0
/*
 * symcache.c - a cache of this thread's earlier lookups.
 *
 * A direct-mapped table: a profile looks up few addresses many times, and a collision only costs
 * another binary search.
 */
#include <stdlib.h>

#include "symbols/kernel/kernel.h"

#define CACHE_BITS 14

struct slot {
	const void *owner; /* object or kernel */
	uint64_t key;
	struct rt_kernel_hit hit;
};

struct rt_symcache {
	struct slot slot[1 << CACHE_BITS];
};

struct rt_symcache *rt_symcache_new(void)
{
	return calloc(1, sizeof(struct rt_symcache));
}

void rt_symcache_free(struct rt_symcache *cache)
{
	free(cache);
}

static struct slot *slot_of(struct rt_symcache *cache, const void *owner, uint64_t key)
{
	uint64_t h = (key ^ (uint64_t)(uintptr_t)owner >> 4) * 0x9e3779b97f4a7c15ULL;

	return &cache->slot[h >> (64 - CACHE_BITS)];
}

const struct rt_symbol *rt_symcache_symbol(struct rt_symcache *cache, struct rt_object *obj,
					   uint64_t address)
{
	struct slot *s = slot_of(cache, obj, address);

	if (s->owner != obj || s->key != address) {
		s->hit.symbol = rt_object_symbol(obj, address);
		s->owner = obj;
		s->key = address;
	}
	return s->hit.symbol;
}

void rt_symcache_kernel(struct rt_symcache *cache, struct rt_kernel *k, uint64_t ip,
			struct rt_kernel_hit *hit)
{
	const void *maps = rt_kernel_maps_key(k);
	struct slot *s = slot_of(cache, maps, ip);

	if (s->owner != maps || s->key != ip) {
		rt_kernel_find(k, ip, &s->hit);
		s->owner = rt_kernel_maps_key(k); /* the first lookup may change it */
		s->key = ip;
	}
	*hit = s->hit;
}
