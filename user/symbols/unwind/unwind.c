// SPDX-License-Identifier: GPL-2.0
/* unwind.c - choose the unwinder for a sample; see unwind.h */
#include "symbols/unwind/unwind.h"

#include <elf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/unwind/internal.h"

#define LEAF_FRAMES 2
#define ARM64_LR    30
#define LEAF_BITS   13

/* If only the link register is known, the caller depends on it and the pc. */
struct leaf {
	uint64_t space, pc, lr, caller;
};

struct rt_unwinder {
	struct rt_symbols *syms;
	enum rt_unwind_how how;
	struct rt_unwind_rows *rows; /* these are made on first use */
	struct rt_unwind_native *native;
	struct rt_unwind_dw *dw;
	struct leaf *leaves; /* direct-mapped */
};

struct rt_unwinder *rt_unwinder_new(struct rt_symbols *syms, enum rt_unwind_how how)
{
	struct rt_unwinder *u = calloc(1, sizeof(*u));

	if (u) {
		u->syms = syms;
		u->how = how;
	}
	return u;
}

void rt_unwinder_free(struct rt_unwinder *u)
{
	if (!u)
		return;
	rt_unwind_rows_free(u->rows);
	rt_unwind_native_free(u->native);
	rt_unwind_dw_free(u->dw);
	free(u->leaves);
	free(u);
}

static bool use_native(const struct rt_unwinder *u, const struct rt_unwind_arch *arch)
{
	return u->how != RT_UNWIND_LIBDW && rt_unwind_native_can(arch);
}

bool rt_unwinder_can(const struct rt_unwinder *u, uint16_t machine, uint64_t abi)
{
	const struct rt_unwind_arch *arch = rt_unwind_arch(machine, abi);

	return arch && (u->how != RT_UNWIND_LIBUNWIND || rt_unwind_native_can(arch));
}

static int drop_zeros(uint64_t *ips, int count)
{
	int i, kept = 0;

	for (i = 0; i < count; i++)
		if (ips[i])
			ips[kept++] = ips[i];
	return kept;
}

static int by_library(struct rt_unwinder *u, const struct rt_unwind_arch *arch,
		      const struct rt_unwind_sample *sample, uint64_t *ips, unsigned int max)
{
	if (use_native(u, arch)) {
		if (!u->native)
			u->native = rt_unwind_native_new();
		return u->native ? rt_unwind_native(u->native, arch, sample, ips, max) : 0;
	}
	if (!u->dw)
		u->dw = rt_unwind_dw_new();
	return u->dw ? rt_unwind_dw(u->dw, arch, sample, ips, max) : 0;
}

/*
 * Skip the rows with as_perf, because perf's result depends on its library, and if the caller chose
 * one.
 */
static int by_rows(struct rt_unwinder *u, const struct rt_unwind_arch *arch,
		   const struct rt_unwind_sample *sample, uint64_t *ips, unsigned int max,
		   bool *whole)
{
	if (u->how != RT_UNWIND_BEST || sample->as_perf || !rt_unwind_rows_can(arch))
		return 0;
	if (!u->rows)
		u->rows = rt_unwind_rows_new();
	return u->rows ? rt_unwind_rows(u->rows, arch, sample, ips, max, whole) : 0;
}

/* Use a library's stack if it is longer than the one of `count` frames in `ips`. */
static int longer(struct rt_unwinder *u, const struct rt_unwind_arch *arch,
		  const struct rt_unwind_sample *sample, uint64_t *ips, unsigned int max, int count)
{
	uint64_t *copy;
	int n;

	if (count <= 0)
		return by_library(u, arch, sample, ips, max);
	copy = malloc(max * sizeof(*copy));
	if (!copy)
		return count;
	copy[0] = ips[0];
	n = by_library(u, arch, sample, copy, max);
	if (n > count) {
		memcpy(ips, copy, (size_t)n * sizeof(*copy));
		count = n;
	}
	free(copy);
	return count;
}

int rt_unwind(struct rt_unwinder *u, const struct rt_unwind_sample *sample, uint64_t *ips,
	      unsigned int max)
{
	const struct rt_unwind_arch *arch = rt_unwind_arch(sample->machine, sample->abi);
	bool whole = false;
	int count;

	if (!rt_unwinder_can(u, sample->machine, sample->abi))
		return -ENOTSUP;
	if (!max || !sample->regs || !rt_unwind_reg(sample, arch->pc, &ips[0]))
		return 0;
	if (max == 1)
		return drop_zeros(ips, 1);
	count = by_rows(u, arch, sample, ips, max, &whole);
	if (!whole)
		count = longer(u, arch, sample, ips, max, count);
	return count > 0 ? drop_zeros(ips, count) : 0;
}

static uint64_t step_from_leaf(struct rt_unwinder *u, const struct rt_unwind_sample *sample,
			       uint64_t pc)
{
	const struct rt_unwind_arch *arch = rt_unwind_arch(EM_AARCH64, PERF_SAMPLE_REGS_ABI_64);
	struct rt_unwind_sample whole = *sample;
	uint64_t regs[64], ips[LEAF_FRAMES];
	unsigned int number, n = 0;

	/* The chain gives the pc; sp must only be present. */
	whole.regs_mask |= 1ULL << arch->pc | 1ULL << arch->sp;
	for (number = 0; number < 64; number++) {
		if (!(whole.regs_mask >> number & 1))
			continue;
		if (!rt_unwind_reg(sample, number, &regs[n]))
			regs[n] = number == arch->pc ? pc : 0;
		n++;
	}
	whole.regs = regs;
	return rt_unwind(u, &whole, ips, LEAF_FRAMES) == LEAF_FRAMES ? ips[1] : 0;
}

static struct leaf *leaf_of(struct rt_unwinder *u, uint64_t space, uint64_t pc, uint64_t lr)
{
	uint64_t h = ((pc * 31 + lr) * 31 + space) * 0x9e3779b97f4a7c15ULL;

	if (!u->leaves)
		u->leaves = calloc(1 << LEAF_BITS, sizeof(*u->leaves));
	return u->leaves ? &u->leaves[h >> (64 - LEAF_BITS)] : NULL;
}

uint64_t rt_unwind_leaf_caller(struct rt_unwinder *u, const struct rt_unwind_sample *sample,
			       uint64_t pc)
{
	struct leaf *leaf;
	uint64_t lr;

	if (!sample->regs || !rt_unwind_reg(sample, ARM64_LR, &lr))
		return 0;
	leaf = sample->regs_mask == 1ULL << ARM64_LR ? leaf_of(u, sample->space, pc, lr) : NULL;
	if (!leaf)
		return step_from_leaf(u, sample, pc);
	if (leaf->pc != pc || leaf->lr != lr || leaf->space != sample->space)
		*leaf = (struct leaf){ sample->space, pc, lr, step_from_leaf(u, sample, pc) };
	return leaf->caller;
}
