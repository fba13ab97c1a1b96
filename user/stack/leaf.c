// SPDX-License-Identifier: GPL-2.0
#include "stack/leaf.h"

#include <elf.h>
#include <stdlib.h>

#include "symbols/unwind/codefile.h"

#define ABI_64 2
/* An arbitrary value for the link register; if the unwinder returns it, the answer is yes. */
#define MARK 0x5ea1f00dull

struct rt_leaf {
	struct rt_unwinder *unwinder;
	bool as_perf;
};

struct rt_leaf *rt_leaf_new(const struct rt_stack_how *how)
{
	struct rt_leaf *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	/*
	 * libunwind, and perf 6.1 with it, uses the link register even if the stack holds the
	 * caller.
	 */
	l->unwinder = rt_unwinder_new(how->symbols, how->compat ? RT_UNWIND_BEST : RT_UNWIND_LIBDW);
	l->as_perf = how->compat;
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

/*
 * Code without a file, such as a JIT compiler's, has no call frame information.  libdw would take the
 * link register for the caller there, or not, depending on the samples that it saw before.
 */
static bool has_file(const struct rt_maps *maps, uint64_t pc)
{
	const struct rt_map *m = rt_maps_find(maps, pc);
	const struct rt_codefile *code = m ? rt_codefile_of(m->object) : NULL;

	return code && code->elf.elf;
}

uint64_t rt_leaf_caller(struct rt_leaf *l, const struct rt_maps *maps, uint64_t pc, uint64_t lr)
{
	struct rt_unwind_sample sample = {
		.space = maps->id,
		.machine = EM_AARCH64,
		.abi = ABI_64,
		.regs_mask = 1ull << RT_REG_ARM64_LR,
		.regs = &lr,
		.map = rt_maps_unwind,
		.map_arg = (void *)maps,
		.as_perf = l->as_perf,
	};

	if (!l->unwinder || (!l->as_perf && !has_file(maps, pc)))
		return 0;
	return rt_unwind_leaf_caller(l->unwinder, &sample, pc);
}

bool rt_leaf_in_register(struct rt_leaf *l, const struct rt_maps *maps, uint64_t pc)
{
	return rt_leaf_caller(l, maps, pc, MARK) == MARK - 1;
}
