/* SPDX-License-Identifier: GPL-2.0 */
/*
 * a64_arithmetic.h - the results that A64 instructions compute from their operands.
 */
#ifndef RT_A64_ARITHMETIC_H
#define RT_A64_ARITHMETIC_H

#include "program/program_port.h"

/* The condition flags, at their positions in pstate. */
#define RT_A64_N (1U << 31)
#define RT_A64_Z (1U << 30)
#define RT_A64_C (1U << 29)
#define RT_A64_V (1U << 28)

/* HOW: LSL, LSR, ASR, ROR. */
u64 rt_a64_shifted(u64 value, u32 how, u32 by, bool wide);
/* HOW: UXTB, UXTH, UXTW, UXTX, SXTB, SXTH, SXTW, SXTX. */
u64 rt_a64_extended(u64 value, u32 how, u32 by);

/* N and Z of a value. */
u32 rt_a64_flags_of(u64 value, bool wide);
/* A + B + CARRY; its flags in *NZCV. */
u64 rt_a64_sum_of(u64 a, u64 b, bool carry, bool wide, u32 *nzcv);
/* Whether a condition code holds. */
bool rt_a64_holds(u32 condition, u32 nzcv);

/* The repeated pattern of a logical immediate; false if the encoding is invalid. */
bool rt_a64_pattern(u32 insn, u64 *out);

#endif
