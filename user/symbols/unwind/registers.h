/* SPDX-License-Identifier: GPL-2.0 */
/* registers.h - the register numbers of perf, DWARF and the two unwinders. */
#ifndef RT_SYMBOLS_UNWIND_REGISTERS_H
#define RT_SYMBOLS_UNWIND_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/unwind/unwind.h"

#define RT_DWARF_REGS_MAX 72

struct rt_unwind_arch {
	uint16_t machine;
	uint64_t abi;			 /* for this PERF_SAMPLE_REGS_ABI_* */
	uint8_t word;			 /* bytes */
	uint8_t pc, sp;			 /* numbers in the sample's mask */
	uint8_t dwarf_regs;		 /* number of valid entries in dwarf[] */
	int8_t dwarf[RT_DWARF_REGS_MAX]; /* number in the mask for each DWARF register; -1: none */
};

/* NULL if the machine is unknown. */
const struct rt_unwind_arch *rt_unwind_arch(uint16_t machine, uint64_t abi);

/* Get a register of the sample by its number in the mask; false if it was not recorded. */
bool rt_unwind_reg(const struct rt_unwind_sample *s, unsigned int number, uint64_t *value);

#endif
