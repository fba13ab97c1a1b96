/* SPDX-License-Identifier: GPL-2.0 */
/*
 * registers.h - the registers of each architecture: their names, and their numbers in samples of
 * perf, in the kernel's struct pt_regs and in DWARF.
 */
#ifndef RT_ARCH_REGISTERS_H
#define RT_ARCH_REGISTERS_H

#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"

#define RT_REGISTER_NONE (-1)

struct rt_register {
	const char *perf_name; /* NULL: perf has no number for it */
	const char *name;      /* as users write it after '%'; NULL: it has no slot */
	int8_t slot;	       /* 8-byte slot of struct pt_regs */
	int8_t dwarf;
	int8_t dwarf32; /* in a 32-bit program on a 64-bit architecture */
};

struct rt_registers {
	const char *group;		/* as in rt_arch_group() */
	const struct rt_register *list; /* index: perf's number, as long as perf_name is set */
	size_t count;
};

/* The registers of a group of architectures, or NULL; and those of one on which the module runs. */
const struct rt_registers *rt_registers_of(const char *group);
const struct rt_registers *rt_registers(enum rt_arch arch);

/* The name of a bit of sample_regs_user/intr on that architecture; "unknown" if it has none. */
const char *rt_reg_name(const char *group, unsigned bit);

#endif
