/* SPDX-License-Identifier: GPL-2.0 */
/*
 * a64_bits.h - bit fields of an A64 instruction.
 */
#ifndef RT_A64_BITS_H
#define RT_A64_BITS_H

#include "program/program_port.h"

#define BITS(insn, high, low) (((insn) >> (low)) & ((1U << ((high) - (low) + 1)) - 1))
#define BIT_AT(insn, n)	      BITS(insn, n, n)

static inline s64 rt_a64_sign_extend(u64 v, u32 bits)
{
	return (s64)(v << (64 - bits)) >> (64 - bits);
}

#endif
