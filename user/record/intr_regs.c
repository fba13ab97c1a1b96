// SPDX-License-Identifier: GPL-2.0
#include "record/intr_regs.h"

#include <string.h>

enum { ARM64_REGS = 33 }; /* x0 … x29 lr sp pc: the slots' own order */

/* Slots by perf's number; -1: a segment register, which 64-bit code has no record of. */
static const signed char x86_64_slots[] = {
	10, 5, 11, 12, 13, 14, 4, 19, 16, 18, 17, 20, -1, -1, -1, -1, 9, 8, 7, 6, 3, 2, 1, 0,
};

#define X86_64_REGS (sizeof(x86_64_slots) / sizeof(x86_64_slots[0]))

uint64_t rt_intr_regs_mask(enum rt_arch arch)
{
	uint64_t mask = 0;
	size_t i;

	if (arch == RT_ARCH_ARM64)
		return (1ULL << ARM64_REGS) - 1;
	for (i = 0; i < X86_64_REGS; i++)
		if (x86_64_slots[i] >= 0)
			mask |= 1ULL << i;
	return mask;
}

void rt_intr_regs_take(enum rt_arch arch, const void *slots, uint64_t *to)
{
	const char *from = slots;
	size_t i;

	if (arch == RT_ARCH_ARM64) {
		memcpy(to, slots, ARM64_REGS * sizeof(*to));
		return;
	}
	for (i = 0; i < X86_64_REGS; i++)
		if (x86_64_slots[i] >= 0)
			memcpy(to++, from + x86_64_slots[i] * sizeof(*to), sizeof(*to));
}
