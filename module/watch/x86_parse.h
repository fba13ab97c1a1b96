/* SPDX-License-Identifier: GPL-2.0 */
/*
 * x86_parse.h - the state while an instruction is parsed, for the files x86_insn*.c.
 */
#ifndef RT_X86_PARSE_H
#define RT_X86_PARSE_H

#include "x86_insn.h"

struct rt_x86_parse {
	struct rt_x86_insn *insn;
	const u8 *code;
	u32 length;
	u32 at;	    /* the next byte */
	u32 map;    /* 0, 1: 0f, 2: 0f 38, 3: 0f 3a */
	u32 vector; /* bytes of a vector */
	u8 opcode;
	u8 rex;	   /* also from a VEX or EVEX prefix: W R X B */
	u8 prefix; /* 0xf2 or 0xf3, whichever came last */
	u8 modrm;
	bool memory; /* the modrm byte names memory */
	bool is_64bit, narrow, vex, evex;
};

void rt_x86_parse_modrm(struct rt_x86_parse *p);

/* Opcodes of one byte; those after 0f, and vectors. */
void rt_x86_parse_one(struct rt_x86_parse *p);
void rt_x86_parse_more(struct rt_x86_parse *p);

static inline s32 rt_x86_take_s32(const u8 *from)
{
	return (s32)((u32)from[0] | (u32)from[1] << 8 | (u32)from[2] << 16 | (u32)from[3] << 24);
}

static inline u32 rt_x86_operand_size(const struct rt_x86_parse *p)
{
	return p->rex & 8 ? 8 : p->narrow ? 2 : 4;
}

static inline u32 rt_x86_reg(const struct rt_x86_parse *p)
{
	return (p->modrm >> 3 & 7) | (p->rex & 4 ? 8 : 0);
}

/* A register of SIZE bytes. */
static inline u8 rt_x86_general(const struct rt_x86_parse *p, u32 size)
{
	u32 reg = rt_x86_reg(p);

	if (size == 1 && !p->rex && reg >= 4)
		return RT_X86_HIGH + (reg & 3);
	return reg;
}

static inline void rt_x86_set(struct rt_x86_parse *p, u8 op, u32 size)
{
	p->insn->op = op;
	p->insn->size = size;
}

/* The instruction writes to REG, from which the operand's address may have been computed. */
static inline void rt_x86_overwrites(struct rt_x86_parse *p, u8 reg)
{
	if (p->insn->base == reg || p->insn->index == reg)
		p->insn->flags |= RT_X86_LOST;
}

/* The instruction loads into a general register, or computes in it. */
static inline void rt_x86_set_load(struct rt_x86_parse *p, u32 size, u8 flags)
{
	rt_x86_set(p, RT_X86_READ, size);
	p->insn->source = rt_x86_reg(p);
	p->insn->flags |= flags;
	rt_x86_overwrites(p, p->insn->source);
}

static inline void rt_x86_set_register(struct rt_x86_parse *p, u32 size, u8 source)
{
	rt_x86_set(p, RT_X86_REGISTER, size);
	p->insn->source = source;
	rt_x86_overwrites(p, source >= RT_X86_HIGH ? source - RT_X86_HIGH : source);
}

/* The immediate is at the end of the instruction. */
static inline void rt_x86_set_immediate(struct rt_x86_parse *p, u32 bytes)
{
	const u8 *from = p->code + p->length - bytes;

	p->insn->source = RT_X86_IMMEDIATE;
	p->insn->imm = bytes == 1 ? (s8)from[0] :
		       bytes == 2 ? (s16)(from[0] | from[1] << 8) :
				    rt_x86_take_s32(from);
}

static inline void rt_x86_set_nowhere(struct rt_x86_parse *p, u8 op)
{
	rt_x86_set(p, op, 0);
	p->insn->base = RT_X86_NO_ADDRESS;
}

#endif
