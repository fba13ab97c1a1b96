/* SPDX-License-Identifier: GPL-2.0 */
/*
 * a64_compute.h - A64 instructions that compute and are rarer than those of a64_execute.c: bits and
 * bytes reversed and counted, products of double width, quotients, checksums, addresses, system
 * registers.
 *
 * The same source is built for the host, where tests run it.
 */
#ifndef RT_A64_COMPUTE_H
#define RT_A64_COMPUTE_H

#include "program/program_port.h"

struct rt_a64_state;

/* Execute INSN, but for pc; false: it is none of these, and nothing has changed. */
bool rt_a64_compute(struct rt_a64_state *s, u32 insn);

/* Numbers for rt_a64_machine.read_system(): bits 20 to 5 of MRS. */
#define RT_A64_TPIDR_EL0   0xde82
#define RT_A64_TPIDRRO_EL0 0xde83
#define RT_A64_TPIDR_EL1   0xc684
#define RT_A64_TPIDR_EL2   0xe682
#define RT_A64_SP_EL0	   0xc208

#endif
