/* SPDX-License-Identifier: GPL-2.0 */
/*
 * registers.h - what people call registers, and which slot of pt_regs that is.
 */
#ifndef RT_EVENTS_REGISTERS_H
#define RT_EVENTS_REGISTERS_H

#include <stdint.h>

enum rt_arch { RT_ARCH_ARM64, RT_ARCH_X86_64 };

struct rt_register {
	uint16_t slot;
	uint16_t bits; /* 64, or 32 for %w2 and %edx: the upper half is not part of it */
};

/* Find "dx", "rdx", "x2", "w2", "sp", "lr"…; 0 or -ENOENT. */
int rt_register_find(enum rt_arch arch, const char *name, struct rt_register *out);

/* The name of a slot, or NULL; how many slots there are. */
const char *rt_register_name(enum rt_arch arch, unsigned int slot);
unsigned int rt_register_count(enum rt_arch arch);

uint16_t rt_register_stack(enum rt_arch arch);
uint16_t rt_register_return(enum rt_arch arch);
/* The slot of function argument N (from 1), or -ENOENT when it travels on the stack. */
int rt_register_argument(enum rt_arch arch, unsigned int n);

const char *rt_arch_name(enum rt_arch arch);
/* The names to offer in an error sentence. */
const char *rt_register_names(enum rt_arch arch);

#endif
