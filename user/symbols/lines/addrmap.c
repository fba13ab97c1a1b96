// SPDX-License-Identifier: GPL-2.0
/* addrmap.c - see addrmap.h */
#include "symbols/lines/addrmap.h"

#include <errno.h>
#include <stdlib.h>

#define FREE_SLOT   UINT64_MAX
#define FIRST_SLOTS 256U

struct rt_addrmap_array {
	struct rt_addrmap_array *older;
	uint32_t slots; /* a power of two, at most half of them used */
	struct slot {
		uint64_t addr;
		void *value;
	} slot[];
};

static uint32_t hash(uint64_t addr)
{
	return addr * 0x9e3779b97f4a7c15ULL >> 32;
}

void *rt_addrmap_get(const struct rt_addrmap *m, uint64_t addr)
{
	struct rt_addrmap_array *a = __atomic_load_n(&m->array, __ATOMIC_ACQUIRE); /* [D] */
	uint32_t i;

	if (addr == FREE_SLOT)
		return __atomic_load_n(&m->of_none, __ATOMIC_ACQUIRE);
	if (!a)
		return NULL;
	for (i = hash(addr) & (a->slots - 1);; i = (i + 1) & (a->slots - 1)) {
		uint64_t key = __atomic_load_n(&a->slot[i].addr, __ATOMIC_ACQUIRE); /* [B] */

		if (key == addr)
			return a->slot[i].value;
		if (key == FREE_SLOT)
			return NULL;
	}
}

static void fill(struct rt_addrmap_array *a, uint64_t addr, void *value)
{
	uint32_t i = hash(addr) & (a->slots - 1);

	while (a->slot[i].addr != FREE_SLOT)
		i = (i + 1) & (a->slots - 1);
	a->slot[i].value = value;
	__atomic_store_n(&a->slot[i].addr, addr, __ATOMIC_RELEASE); /* [A] */
}

static int grow(struct rt_addrmap *m)
{
	struct rt_addrmap_array *old = m->array, *a;
	uint32_t slots = old ? old->slots * 2 : FIRST_SLOTS, i;

	a = malloc(sizeof(*a) + slots * sizeof(a->slot[0]));
	if (!a)
		return -ENOMEM;
	a->older = old;
	a->slots = slots;
	for (i = 0; i < slots; i++)
		a->slot[i].addr = FREE_SLOT;
	for (i = 0; old && i < old->slots; i++)
		if (old->slot[i].addr != FREE_SLOT)
			fill(a, old->slot[i].addr, old->slot[i].value);
	__atomic_store_n(&m->array, a, __ATOMIC_RELEASE); /* [C] */
	return 0;
}

int rt_addrmap_put(struct rt_addrmap *m, uint64_t addr, void *value)
{
	if (addr == FREE_SLOT) {
		__atomic_store_n(&m->of_none, value, __ATOMIC_RELEASE);
		return 0;
	}
	if ((!m->array || m->count >= m->array->slots / 2) && grow(m))
		return -ENOMEM;
	fill(m->array, addr, value);
	m->count++;
	return 0;
}

void rt_addrmap_free(struct rt_addrmap *m)
{
	struct rt_addrmap_array *a = m->array, *older;

	for (; a; a = older) {
		older = a->older;
		free(a);
	}
	m->array = NULL;
}
