// SPDX-License-Identifier: GPL-2.0
#include "script/leaf.h"

#include <elf.h>
#include <stdlib.h>

#define ABI_64 2
/* Any value will do: it comes out again when the answer is yes. */
#define MARK 0x5ea1f00dull

struct rt_leaf {
	struct rt_unwinder *unwinder;
};

struct rt_leaf *rt_leaf_new(struct rt_symbols *symbols)
{
	struct rt_leaf *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->unwinder = rt_unwinder_new(symbols, RT_UNWIND_BEST);
	return l;
}

void rt_leaf_free(struct rt_leaf *l)
{
	if (!l)
		return;
	if (l->unwinder)
		rt_unwinder_free(l->unwinder);
	free(l);
}

static bool map_of(void *arg, uint64_t addr, struct rt_unwind_map *map)
{
	const struct rt_map *m = rt_maps_find(arg, addr);

	if (!m)
		return false;
	map->start = m->start;
	map->end = m->end;
	map->pgoff = m->pgoff;
	map->object = m->object;
	return true;
}

uint64_t rt_leaf_caller(struct rt_leaf *l, const struct rt_maps *maps, uint64_t pc, uint64_t lr)
{
	struct rt_unwind_sample sample = {
		.space = maps->id,
		.machine = EM_AARCH64,
		.abi = ABI_64,
		.regs_mask = 1ull << RT_REG_ARM64_LR,
		.regs = &lr,
		.map = map_of,
		.map_arg = (void *)maps,
	};

	return l->unwinder ? rt_unwind_leaf_caller(l->unwinder, &sample, pc) : 0;
}

bool rt_leaf_in_register(struct rt_leaf *l, const struct rt_maps *maps, uint64_t pc)
{
	return rt_leaf_caller(l, maps, pc, MARK) == MARK - 1;
}
