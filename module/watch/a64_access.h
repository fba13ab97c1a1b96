/* SPDX-License-Identifier: GPL-2.0 */
/*
 * a64_access.h - what one A64 instruction is about to do to memory.
 *
 * The same source is built for the host, where tests run it against real instructions.
 */
#ifndef RT_A64_ACCESS_H
#define RT_A64_ACCESS_H

#include "program/program_port.h"

/* Where the stored bytes come from. */
enum rt_a64_store {
	RT_A64_NONE,   /* it only loads */
	RT_A64_PLAIN,  /* data[] */
	RT_A64_VECTOR, /* the SIMD registers named in vector[] */
	RT_A64_TURNS,  /* elements of `count` SIMD registers from vector[0] on: turns */
	RT_A64_SWAP,   /* the atomic ones: old value and data[0] */
	RT_A64_ADD,
	RT_A64_CLEAR,
	RT_A64_XOR,
	RT_A64_SET,
	RT_A64_SMAX,
	RT_A64_SMIN,
	RT_A64_UMAX,
	RT_A64_UMIN,
	RT_A64_COMPARE, /* data[] where memory equals expect[] */
	RT_A64_UNKNOWN, /* it stores, but the value is not known */
};

#define RT_A64_SP 31

#define RT_A64_TURNS_MAX    4 /* registers that are interleaved */
#define RT_A64_VECTOR_BYTES 16

struct rt_a64_access {
	enum rt_a64_store store;
	bool loads;
	bool exclusive;
	u64 address;
	u64 tag;       /* to be added to an address for the access: decoding the insn leaves it 0 */
	bool relative; /* the address is an offset from that of the instruction */
	u32 size;      /* all bytes; an element of a pair or of an atomic has size / count */
	u32 count;
	u64 data[2];
	u64 expect[2];
	u32 vector[2];
	struct {
		u32 registers; /* that are interleaved; the next group follows them */
		u32 bytes;     /* of an element */
		u32 first;     /* element of each register */
		u32 elements;  /* how many elements from there on */
	} turns;
	u32 status; /* exclusive store: the register that receives the status */

	/* The changes to registers, if `whole`: then this struct suffices to perform the access. */
	bool whole;
	bool ordered; /* with barriers, or an atomic */
	bool sign;    /* the CPU extends loaded values with their sign, */
	bool wide;    /* to 64 bits */
	bool writes_back;
	u32 target[2]; /* of each element loaded; RT_A64_SP: none */
	u32 base;
	u64 base_after;
};

/*
 * REGS are x0 … x30 and sp; ZERO_BLOCK is how many bytes DC ZVA clears.  False if the instruction
 * does not access memory, or if this decoder does not know it.
 */
bool rt_a64_access(u32 insn, const u64 *regs, u32 zero_block, struct rt_a64_access *access);

/*
 * The bytes that RT_A64_TURNS stores: access->size of them.  VECTORS are the registers, RT_A64_VECTOR_BYTES
 * each.
 */
void rt_a64_turns(const struct rt_a64_access *access, const u8 *vectors, u8 *image);

/* Update the registers that a `whole` access changes; LOADED has its elements as in memory. */
void rt_a64_finish(const struct rt_a64_access *access, const u64 *loaded, u64 *regs);

/* The new value that an atomic operation computes from OLD, an element of SIZE bytes. */
u64 rt_a64_result(const struct rt_a64_access *access, u64 old, u32 size);

#endif
