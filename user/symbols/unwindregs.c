// SPDX-License-Identifier: GPL-2.0
/* unwindregs.c - see unwindregs.h; the numbers of the mask are the kernel's asm/perf_regs.h */
#include "symbols/unwindregs.h"

#include <elf.h>
#include <linux/perf_event.h>
#include <stddef.h>

#define IDENTITY_8(n)  (n), (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7
#define IDENTITY_16(n) IDENTITY_8(n), IDENTITY_8((n) + 8)
#define IDENTITY_32(n) IDENTITY_16(n), IDENTITY_16((n) + 16)
#define NONE_8	       -1, -1, -1, -1, -1, -1, -1, -1
#define NONE_32	       NONE_8, NONE_8, NONE_8, NONE_8

static const struct rt_unwind_arch archs[] = {
	{ EM_AARCH64, PERF_SAMPLE_REGS_ABI_64, 8, 32, 31, 32, { IDENTITY_32(0) } },
	/* rax rdx rcx rbx rsi rdi rbp rsp r8-r15 rip */
	{ EM_X86_64,
	  PERF_SAMPLE_REGS_ABI_64,
	  8,
	  8,
	  7,
	  17,
	  { 0, 3, 2, 1, 4, 5, 6, 7, IDENTITY_8(16), 8 } },
	/* eax ecx edx ebx esp ebp esi edi eip */
	{ EM_386, PERF_SAMPLE_REGS_ABI_32, 4, 8, 7, 9, { 0, 2, 3, 1, 7, 6, 4, 5, 8 } },
	{ EM_ARM, PERF_SAMPLE_REGS_ABI_32, 4, 15, 13, 16, { IDENTITY_16(0) } },
	/* The mask's bit 0 is the pc; DWARF's x0 is always 0. */
	{ EM_RISCV,
	  PERF_SAMPLE_REGS_ABI_64,
	  8,
	  0,
	  2,
	  32,
	  { -1, 1, 2, 3, 4, 5, 6, 7, IDENTITY_8(8), IDENTITY_16(16) } },
	{ EM_S390, PERF_SAMPLE_REGS_ABI_64, 8, 33, 15, 16, { IDENTITY_16(0) } },
	/* r0-r31, then the link register as 65 */
	{ EM_PPC64, PERF_SAMPLE_REGS_ABI_64, 8, 32, 1, 66, { IDENTITY_32(0), NONE_32, -1, 36 } },
};

const struct rt_unwind_arch *rt_unwind_arch(uint16_t machine, uint64_t abi)
{
	size_t i;

	/* A 32-bit program on a 64-bit kernel. */
	if (abi == PERF_SAMPLE_REGS_ABI_32 && machine == EM_X86_64)
		machine = EM_386;
	if (abi == PERF_SAMPLE_REGS_ABI_32 && machine == EM_AARCH64)
		machine = EM_ARM;
	for (i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
		if (archs[i].machine == machine && archs[i].abi == abi)
			return &archs[i];
	return NULL;
}

bool rt_unwind_reg(const struct rt_unwind_sample *s, unsigned int number, uint64_t *value)
{
	if (number >= 64 || !(s->regs_mask >> number & 1))
		return false;
	*value = s->regs[__builtin_popcountll(s->regs_mask & ((1ULL << number) - 1))];
	return true;
}
