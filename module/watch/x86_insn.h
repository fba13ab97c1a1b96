/* SPDX-License-Identifier: GPL-2.0 */
/*
 * x86_insn.h - what one x86 instruction has done to memory, as seen after it was executed.
 *
 * The same source is built for the host, where tests run it against real instructions.
 */
#ifndef RT_X86_INSN_H
#define RT_X86_INSN_H

#include "program/program_port.h"

#define RT_X86_LENGTH_LIMIT 15

/* What the instruction does to its memory operand. */
enum rt_x86_op {
	RT_X86_NONE,	/* there is none */
	RT_X86_UNKNOWN, /* there may be one; the effect is not known */
	RT_X86_READ,
	RT_X86_STRING, /* at the addresses in si and di */
	RT_X86_WRITE,  /* the previous value is lost */
	/* It writes, and the previous value follows from the current one. */
	RT_X86_ADD,
	RT_X86_SUB,
	RT_X86_XOR,
	RT_X86_NEG,
	RT_X86_NOT,
	RT_X86_BIT,	 /* one bit, whose previous value is in the carry flag */
	RT_X86_REGISTER, /* the register has the previous value: xchg, xadd, cmpxchg */
	RT_X86_PAIR,	 /* dx:ax has the previous value: cmpxchg8b, cmpxchg16b */
};

/* Registers by their numbers in instructions; 16 … 19 are ah, ch, dh, bh. */
#define RT_X86_AX	  0
#define RT_X86_CX	  1
#define RT_X86_DX	  2
#define RT_X86_BX	  3
#define RT_X86_SP	  4
#define RT_X86_HIGH	  16
#define RT_X86_IMMEDIATE  20 /* `source`: the number in `imm` */
#define RT_X86_NO_SOURCE  21
#define RT_X86_NO_BASE	  22 /* `base`, `index`: none */
#define RT_X86_IP	  23 /* `base`: the address of the next instruction */
#define RT_X86_NO_ADDRESS 24 /* `base`: the address of the operand is not known */

/* `source` of RT_X86_STRING. */
#define RT_X86_READS_SI	 1
#define RT_X86_READS_DI	 2
#define RT_X86_WRITES_DI 4

/* flags */
#define RT_X86_PUSHES 1	 /* writes to the top of the stack */
#define RT_X86_POPS   2	 /* reads what was at the top of the stack */
#define RT_X86_LEAVES 4	 /* does not continue at the next instruction */
#define RT_X86_REPEAT 8	 /* a string operation with a prefix that repeats it */
#define RT_X86_LOST   16 /* it has overwritten a register of its operand's address */
#define RT_X86_MOVES  32 /* a load: `source` has the value now */
#define RT_X86_SHORT  64 /* addresses have 32 bits */
#define RT_X86_CALL   128

struct rt_x86_insn {
	u8 length;
	u8 op;	   /* enum rt_x86_op */
	u8 flags;  /* RT_X86_* */
	u8 source; /* register */
	u8 base, index, scale;
	u8 segment; /* 0, or the prefix byte of fs or gs */
	u16 size;   /* bytes of the memory operand; 0: not known how many */
	s32 disp;
	s32 imm;
	u8 wrote; /* the register that has the value it wrote, or RT_X86_IMMEDIATE; cmpxchg: if ZF is set */
};

/*
 * Parse the instruction at the beginning of CODE, which is LENGTH bytes long; RT_X86_LENGTH_LIMIT
 * bytes are readable.
 */
void rt_x86_insn_parse(struct rt_x86_insn *insn, const u8 *code, u32 length, bool is_64bit);

/* Words of struct pt_regs, as rt_event_add.user_registers and programs count them. */
u64 rt_x86_register(const u64 *regs, u32 number);

/*
 * The address of the memory operand; false if it is not known.  REGS are the registers after the
 * instruction, NEXT the address after it, SEGMENT the base of insn->segment.
 */
bool rt_x86_address(const struct rt_x86_insn *insn, const u64 *regs, u64 next, u64 segment,
		    u64 *address);

/*
 * The memory operand after the instruction, or the value that a load has read, from the registers and
 * the instruction alone; the part PART of a pair.  False if they do not tell.
 */
bool rt_x86_after(const struct rt_x86_insn *insn, const u64 *regs, u32 part, u64 *after);

/*
 * The memory operand before the instruction, from its value NOW, which RT_X86_REGISTER and
 * RT_X86_PAIR ignore; for a pair, the part PART.  False if it is not known.
 */
bool rt_x86_before(const struct rt_x86_insn *insn, const u64 *regs, u64 now, u32 part, u64 *before);

#endif
