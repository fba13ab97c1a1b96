/* SPDX-License-Identifier: GPL-2.0 */
/* register_names.h - users' names of registers, and their slots in pt_regs. */
#ifndef RT_ARCH_REGISTER_NAMES_H
#define RT_ARCH_REGISTER_NAMES_H

#include <stdint.h>

#include "arch/arch.h"

struct rt_register_slot {
	uint16_t slot;
	uint16_t bits; /* 64, or 32 for %w2 and %edx: without the upper half */
};

/* Find "dx", "rdx", "x2", "w2", "sp", "lr"…; 0 or -ENOENT. */
int rt_register_find(enum rt_arch arch, const char *name, struct rt_register_slot *out);

/* The name of a slot, or NULL; how many slots there are. */
const char *rt_register_name(enum rt_arch arch, unsigned int slot);
unsigned int rt_register_count(enum rt_arch arch);

uint16_t rt_register_stack(enum rt_arch arch);
uint16_t rt_register_pc(enum rt_arch arch);
uint16_t rt_register_return(enum rt_arch arch);
/* The slot of function argument N (from 1), or -ENOENT if it is passed on the stack. */
int rt_register_argument(enum rt_arch arch, unsigned int n);

/* The names to list in an error. */
const char *rt_register_names(enum rt_arch arch);

#endif
