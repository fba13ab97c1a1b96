// SPDX-License-Identifier: GPL-2.0
#include "stack/leaf.h"

#include <elf.h>
#include <stdlib.h>

#include "symbols/unwind/cfi.h"
#include "symbols/unwind/codefile.h"

#define ABI_64 2
/* An arbitrary value for the link register; if the unwinder returns it, the answer is yes. */
#define MARK 0x5ea1f00dull

#define KNOWN_BITS 14
#define KNOWN	   (1u << KNOWN_BITS)

/* What a row of call frame information says about the link register. */
enum answer { NO, YES, UNKNOWN };

struct known {
	const struct rt_codefile *code; /* NULL: free */
	uint64_t vaddr;
	enum answer answer;
};

struct rt_leaf {
	struct rt_unwinder *unwinder;
	bool as_perf;
	struct known known[KNOWN]; /* direct-mapped */
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

static enum answer ask_row(const struct rt_cfi_row *row)
{
	unsigned int i;

	if (row->kind != RT_CFI_KNOWN)
		return UNKNOWN;
	if (row->signal)
		return NO;
	for (i = 0; i < row->rules; i++)
		if (row->rule[i].reg == row->return_register)
			return row->rule[i].how == RT_CFI_REGISTER &&
			       row->rule[i].offset == row->return_register;
	return YES;
}

/* Ask the call frame information directly: that is faster than to unwind. */
static enum answer ask(struct rt_leaf *l, const struct rt_codefile *code, uint64_t vaddr)
{
	uint64_t h = (vaddr ^ (uintptr_t)code >> 4) * 0x9e3779b97f4a7c15ULL;
	struct known *known = &l->known[h >> (64 - KNOWN_BITS)];
	struct rt_cfi_row row;

	if (known->code != code || known->vaddr != vaddr) {
		rt_cfi_row(code->cfi, vaddr, 0, &row);
		*known = (struct known){ code, vaddr, ask_row(&row) };
	}
	return known->answer;
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

	return l->unwinder ? rt_unwind_leaf_caller(l->unwinder, &sample, pc) : 0;
}

bool rt_leaf_in_register(struct rt_leaf *l, const struct rt_maps *maps, uint64_t pc)
{
	const struct rt_map *m = l->as_perf ? NULL : rt_maps_find(maps, pc);
	const struct rt_codefile *code = m ? rt_codefile_of(m->object) : NULL;
	enum answer answer;

	/*
	 * Code without a file, such as a JIT compiler's, has no call frame information.  libdw would
	 * take the link register for the caller there, or not, depending on the samples before.
	 */
	if (!l->as_perf && (!code || !code->elf.elf))
		return false;
	if (code) {
		answer = ask(l, code, pc - rt_codefile_bias(code, pc, m->start, m->pgoff));
		if (answer != UNKNOWN)
			return answer == YES;
	}
	return rt_leaf_caller(l, maps, pc, MARK) == MARK - 1;
}
