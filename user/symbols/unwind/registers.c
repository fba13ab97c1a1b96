// SPDX-License-Identifier: GPL-2.0
/* registers.c - see registers.h */
#include "symbols/unwind/registers.h"

#include <elf.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "arch/registers.h"

static struct {
	const char *group;
	struct rt_unwind_arch arch; /* pc and sp are perf's numbers */
} archs[] = {
	{ "arm64", { EM_AARCH64, PERF_SAMPLE_REGS_ABI_64, 8, .pc = 32, .sp = 31 } },
	{ "x86", { EM_X86_64, PERF_SAMPLE_REGS_ABI_64, 8, .pc = 8, .sp = 7 } },
	{ "x86", { EM_386, PERF_SAMPLE_REGS_ABI_32, 4, .pc = 8, .sp = 7 } },
	{ "arm", { EM_ARM, PERF_SAMPLE_REGS_ABI_32, 4, .pc = 15, .sp = 13 } },
	{ "riscv", { EM_RISCV, PERF_SAMPLE_REGS_ABI_64, 8, .pc = 0, .sp = 2 } },
	{ "s390", { EM_S390, PERF_SAMPLE_REGS_ABI_64, 8, .pc = 33, .sp = 15 } },
	{ "powerpc", { EM_PPC64, PERF_SAMPLE_REGS_ABI_64, 8, .pc = 32, .sp = 1 } },
};

static pthread_once_t archs_once = PTHREAD_ONCE_INIT;

/* Invert the table of registers, so that DWARF's numbers become the index. */
static void fill_archs(void)
{
	const struct rt_registers *r;
	struct rt_unwind_arch *arch;
	size_t i, j;
	int dwarf;

	for (i = 0; i < sizeof(archs) / sizeof(archs[0]); i++) {
		arch = &archs[i].arch;
		memset(arch->dwarf, RT_REGISTER_NONE, sizeof(arch->dwarf));
		r = rt_registers_of(archs[i].group);
		for (j = 0; j < r->count; j++) {
			dwarf = arch->machine == EM_386 ? r->list[j].dwarf32 : r->list[j].dwarf;
			if (!r->list[j].perf_name || dwarf == RT_REGISTER_NONE)
				continue;
			arch->dwarf[dwarf] = j;
			if (dwarf >= arch->dwarf_regs)
				arch->dwarf_regs = dwarf + 1;
		}
	}
}

const struct rt_unwind_arch *rt_unwind_arch(uint16_t machine, uint64_t abi)
{
	size_t i;

	pthread_once(&archs_once, fill_archs);
	/* A 32-bit program on a 64-bit kernel. */
	if (abi == PERF_SAMPLE_REGS_ABI_32 && machine == EM_X86_64)
		machine = EM_386;
	if (abi == PERF_SAMPLE_REGS_ABI_32 && machine == EM_AARCH64)
		machine = EM_ARM;
	for (i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
		if (archs[i].arch.machine == machine && archs[i].arch.abi == abi)
			return &archs[i].arch;
	return NULL;
}

bool rt_unwind_reg(const struct rt_unwind_sample *s, unsigned int number, uint64_t *value)
{
	if (number >= 64 || !(s->regs_mask >> number & 1))
		return false;
	*value = s->regs[__builtin_popcountll(s->regs_mask & ((1ULL << number) - 1))];
	return true;
}
