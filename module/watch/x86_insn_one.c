// SPDX-License-Identifier: GPL-2.0
/* x86_insn_one.c - instructions whose opcode is one byte; see x86_insn.h. */
#include "x86_parse.h"

/* For opcodes whose lowest bit tells a byte from a larger operand. */
static u32 size_by_opcode(const struct rt_x86_parse *p)
{
	return p->opcode & 1 ? rt_x86_operand_size(p) : 1;
}
RT_PORT_NOPROBE(size_by_opcode);

/* add or adc sbb and sub xor cmp, to memory */
static void set_arithmetic(struct rt_x86_parse *p, u32 which, u32 size)
{
	static const u8 ops[8] = { RT_X86_ADD,	 RT_X86_WRITE, RT_X86_WRITE, RT_X86_WRITE,
				   RT_X86_WRITE, RT_X86_SUB,   RT_X86_XOR,   RT_X86_READ };

	rt_x86_set(p, ops[which], size);
}
RT_PORT_NOPROBE(set_arithmetic);

static void parse_arithmetic(struct rt_x86_parse *p)
{
	u32 which = p->opcode >> 3, form = p->opcode & 7, size = size_by_opcode(p);

	if (form >= 4) {
		/*
		 * Forms with ax access no memory; pushes and pops of segment registers exist in
		 * 32-bit code only.
		 */
		if (form >= 6)
			p->insn->flags |= form == 6 ? RT_X86_PUSHES : RT_X86_POPS;
		return;
	}
	rt_x86_parse_modrm(p);
	if (!p->memory)
		return;
	if (form < 2) {
		set_arithmetic(p, which, size);
		if (which != 7)
			p->insn->source = rt_x86_general(p, size);
	} else if (which == 7) {
		rt_x86_set(p, RT_X86_READ, size);
	} else {
		rt_x86_set_load(p, size, 0);
	}
}
RT_PORT_NOPROBE(parse_arithmetic);

static void parse_string(struct rt_x86_parse *p)
{
	u32 size = size_by_opcode(p);

	rt_x86_set(p, RT_X86_STRING, size == 8 && p->opcode < 0x70 ? 4 : size);
	if (p->prefix)
		p->insn->flags |= RT_X86_REPEAT;
	switch (p->opcode & ~1U) {
	case 0xa4:
		p->insn->source = RT_X86_READS_SI | RT_X86_WRITES_DI;
		break;
	case 0xa6:
		p->insn->source = RT_X86_READS_SI | RT_X86_READS_DI;
		break;
	case 0xaa:
	case 0x6c:
		p->insn->source = RT_X86_WRITES_DI;
		break;
	case 0xac:
	case 0x6e:
		p->insn->source = RT_X86_READS_SI;
		break;
	case 0xae:
		p->insn->source = RT_X86_READS_DI;
		break;
	}
}
RT_PORT_NOPROBE(parse_string);

/* f6, f7: test, not, neg, and mul and div, which write to ax and dx */
static void parse_unary(struct rt_x86_parse *p)
{
	static const u8 ops[8] = { RT_X86_READ, RT_X86_READ, RT_X86_NOT,  RT_X86_NEG,
				   RT_X86_READ, RT_X86_READ, RT_X86_READ, RT_X86_READ };
	struct rt_x86_insn *insn = p->insn;
	u32 which;

	rt_x86_parse_modrm(p);
	if (!p->memory)
		return;
	which = p->modrm >> 3 & 7;
	rt_x86_set(p, ops[which], size_by_opcode(p));
	if (which >= 4 && (insn->base == RT_X86_AX || insn->base == RT_X86_DX ||
			   insn->index == RT_X86_AX || insn->index == RT_X86_DX))
		insn->flags |= RT_X86_LOST;
}
RT_PORT_NOPROBE(parse_unary);

/* fe, ff: inc, dec, calls, jumps and push */
static void parse_group5(struct rt_x86_parse *p)
{
	struct rt_x86_insn *insn = p->insn;
	u32 which, wide = p->is_64bit ? 8 : 4;

	rt_x86_parse_modrm(p);
	which = p->modrm >> 3 & 7;
	if (which < 2) {
		if (!p->memory)
			return;
		rt_x86_set(p, which ? RT_X86_SUB : RT_X86_ADD, size_by_opcode(p));
		insn->source = RT_X86_IMMEDIATE;
		insn->imm = 1;
		return;
	}
	if (p->memory)
		rt_x86_set(p, RT_X86_READ, wide);
	switch (which) {
	case 2:
		insn->flags |= RT_X86_PUSHES | RT_X86_LEAVES;
		/* A caller that guesses the length learns here whether it fits. */
		insn->flags |= p->at == p->length ? RT_X86_CALL : 0;
		break;
	case 3:
	case 4:
	case 5:
		insn->flags |= RT_X86_LEAVES;
		break;
	case 6:
		insn->flags |= RT_X86_PUSHES;
		break;
	}
	/* The register that holds the target. */
	if (!p->memory)
		insn->source = (p->modrm & 7) | (p->rex & 1 ? 8 : 0);
}
RT_PORT_NOPROBE(parse_group5);

/* d8 … df: the opcode and the middle bits of modrm give the operation and the size. */
static void parse_x87(struct rt_x86_parse *p)
{
	static const u8 stores[8] = { 0x00, 0xcc, 0x00, 0x8e, 0x00, 0xce, 0x00, 0xce };
	static const u8 sizes[8] = { 4, 4, 4, 4, 8, 8, 2, 2 };
	u32 which;

	rt_x86_parse_modrm(p);
	if (!p->memory)
		return;
	which = p->modrm >> 3 & 7;
	rt_x86_set(p, stores[p->opcode & 7] >> which & 1 ? RT_X86_WRITE : RT_X86_READ,
		   sizes[p->opcode & 7]);
	/* Environments, control words and ten-byte numbers. */
	if (which >= 4 && (p->opcode & 1))
		p->insn->size = 0;
}
RT_PORT_NOPROBE(parse_x87);

void rt_x86_parse_one(struct rt_x86_parse *p)
{
	struct rt_x86_insn *insn = p->insn;
	u8 op = p->opcode;
	u32 size = size_by_opcode(p), whole = rt_x86_operand_size(p);

	if (op < 0x40) {
		parse_arithmetic(p);
		return;
	}
	if (op >= 0xd8 && op <= 0xdf) {
		parse_x87(p);
		return;
	}
	if (op >= 0x50 && op < 0x60) {
		insn->flags |= op < 0x58 ? RT_X86_PUSHES : RT_X86_POPS;
		return;
	}
	switch (op) {
	case 0x60: /* pusha, popa, bound */
	case 0x61 ... 0x62:
	case 0xc8: /* enter */
	case 0xd7: /* xlat */
	case 0xd5: /* a prefix of newer processors */
		rt_x86_set_nowhere(p, RT_X86_UNKNOWN);
		return;
	case 0x63:
	case 0x69:
	case 0x6b:
		rt_x86_parse_modrm(p);
		if (p->memory)
			rt_x86_set_load(p, op == 0x63 ? 4 : whole, op == 0x63 ? RT_X86_MOVES : 0);
		return;
	case 0x68:
	case 0x6a:
	case 0x9c:
		insn->flags |= RT_X86_PUSHES;
		return;
	case 0x6c ... 0x6f:
	case 0xa4 ... 0xa7:
	case 0xaa ... 0xaf:
		parse_string(p);
		return;
	case 0x80 ... 0x81:
	case 0x83:
		rt_x86_parse_modrm(p);
		if (!p->memory)
			return;
		set_arithmetic(p, p->modrm >> 3 & 7, size);
		rt_x86_set_immediate(p, op == 0x81 ? (whole == 2 ? 2 : 4) : 1);
		return;
	case 0x84 ... 0x85:
		rt_x86_parse_modrm(p);
		if (p->memory)
			rt_x86_set(p, RT_X86_READ, size);
		return;
	case 0x86 ... 0x87:
		rt_x86_parse_modrm(p);
		if (p->memory)
			rt_x86_set_register(p, size, rt_x86_general(p, size));
		return;
	case 0x88 ... 0x89:
		rt_x86_parse_modrm(p);
		if (p->memory)
			rt_x86_set(p, RT_X86_WRITE, size);
		insn->wrote = rt_x86_general(p, size);
		return;
	case 0xc6 ... 0xc7:
		rt_x86_parse_modrm(p);
		if (p->memory)
			rt_x86_set(p, RT_X86_WRITE, size);
		rt_x86_set_immediate(p, size < 4 ? size : 4);
		insn->wrote = RT_X86_IMMEDIATE;
		return;
	case 0x8a ... 0x8b:
		rt_x86_parse_modrm(p);
		if (p->memory)
			rt_x86_set_load(p, size, size > 1 || p->rex ? RT_X86_MOVES : 0);
		return;
	case 0x8c:
	case 0x8e:
		rt_x86_parse_modrm(p);
		if (p->memory)
			rt_x86_set(p, op == 0x8c ? RT_X86_WRITE : RT_X86_READ, 2);
		return;
	case 0x8f:
		rt_x86_parse_modrm(p);
		if (p->memory && !(p->modrm & 0x38)) {
			rt_x86_set(p, RT_X86_WRITE, p->is_64bit ? 8 : 4);
			insn->flags |= RT_X86_POPS;
		} else if (p->modrm & 0x38) {
			rt_x86_set_nowhere(p, RT_X86_UNKNOWN);
		}
		return;
	case 0x9d:
	case 0xc9:
		insn->flags |= RT_X86_POPS;
		return;
	case 0xa0 ... 0xa3:
		/* An eight-byte address follows the opcode. */
		rt_x86_set(p, op < 0xa2 ? RT_X86_READ : RT_X86_WRITE, size);
		insn->base = RT_X86_NO_ADDRESS;
		return;
	case 0xc0 ... 0xc1:
	case 0xd0 ... 0xd3:
		rt_x86_parse_modrm(p);
		if (p->memory)
			rt_x86_set(p, RT_X86_WRITE, size);
		return;
	case 0xc4 ... 0xc5:
		rt_x86_parse_modrm(p);
		rt_x86_set_load(p, 0, 0);
		return;
	case 0xc2 ... 0xc3:
		insn->flags |= RT_X86_POPS | RT_X86_LEAVES;
		return;
	case 0xe8:
		insn->flags |= RT_X86_PUSHES | RT_X86_LEAVES;
		insn->flags |= p->at + 4 == p->length ? RT_X86_CALL : 0;
		rt_x86_set_immediate(p, 4);
		return;
	case 0x9a:
	case 0xca ... 0xcc:
	case 0xcf:
	case 0xe9 ... 0xeb:
		insn->flags |= RT_X86_LEAVES;
		return;
	case 0xf6 ... 0xf7:
		parse_unary(p);
		return;
	case 0xfe ... 0xff:
		parse_group5(p);
		return;
	}
}
RT_PORT_NOPROBE(rt_x86_parse_one);
