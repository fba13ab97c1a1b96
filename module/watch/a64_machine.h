/* SPDX-License-Identifier: GPL-2.0 */
/*
 * a64_machine.h - the registers, code and memory of a program that executes exclusives.
 */
#ifndef RT_A64_MACHINE_H
#define RT_A64_MACHINE_H

#include "program/program_port.h"

struct rt_a64_machine {
	u64 *regs; /* x0 … x30, sp */
	u64 pc;
	u32 nzcv; /* the flags as in bits 31 to 28 of pstate */
	/*
	 * For a store for which the registers do not give the answer: let it fail once, interpret
	 * the branch back to the load, and run the sequence from there.
	 */
	bool insist;

	/* Filled in: what the sequence did to memory. */
	bool stored;
	u64 store; /* the address of the store-exclusive that did it */
	bool unsure; /* a load alone: a store may follow in code that cannot be seen, and then fails */
	u64 address;
	u32 size; /* of both elements, if it is a pair */
	u64 old[2];
	u64 new[2];

	/*
	 * Provided by the caller: 0 or an error; exchange() also returns the previous contents.  16
	 * bytes are a pair of 8, and 8 bytes may be a pair of 4, in one number.
	 */
	int (*fetch)(const struct rt_a64_machine *m, u64 pc, u32 *insn);
	int (*load)(const struct rt_a64_machine *m, u64 *value);
	int (*exchange)(const struct rt_a64_machine *m, const u64 *old, const u64 *new, u64 *was);
	/* The value that MRS reads from the system register NUMBER, bits 20 to 5 of the instruction. */
	int (*read_system)(const struct rt_a64_machine *m, u32 number, u64 *value);
};

#endif
