/* SPDX-License-Identifier: GPL-2.0 */
/*
 * unwindregs.h - how perf, DWARF and the two unwinders number registers.
 */
#ifndef RT_SYMBOLS_UNWINDREGS_H
#define RT_SYMBOLS_UNWINDREGS_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/unwind.h"

#define RT_DWARF_REGS_MAX 72

struct rt_unwind_arch {
	uint16_t machine;
	uint64_t abi;			 /* PERF_SAMPLE_REGS_ABI_* it is for */
	uint8_t word;			 /* bytes */
	uint8_t pc, sp;			 /* numbers in the sample's mask */
	uint8_t dwarf_regs;		 /* how many of dwarf[] count */
	int8_t dwarf[RT_DWARF_REGS_MAX]; /* number in the mask for each DWARF register; -1: none */
};

/* NULL when the machine is not known. */
const struct rt_unwind_arch *rt_unwind_arch(uint16_t machine, uint64_t abi);

/* A register of the sample by its number in the mask; false when it was not recorded. */
bool rt_unwind_reg(const struct rt_unwind_sample *s, unsigned int number, uint64_t *value);

#endif
