// SPDX-License-Identifier: GPL-2.0
/* x86_insn_more.c - opcodes after 0f, and vectors; see x86_insn.h. */
#include "x86_parse.h"

static u32 vector_size(const struct rt_x86_parse *p)
{
	if (p->opcode == 0x10 || p->opcode == 0x11)
		return p->prefix == 0xf3 ? 4 : p->prefix == 0xf2 ? 8 : p->vector;
	/* MMX registers have eight bytes. */
	if (!p->vex && !p->narrow && !p->prefix && p->opcode >= 0x60)
		return 8;
	return p->vector;
}
RT_PORT_NOPROBE(vector_size);

/* 0f 00, 01, ae, c7: descriptor tables, processor states */
static void parse_system(struct rt_x86_parse *p)
{
	/* The variants that store. */
	static const u8 at_00 = 0x03, at_01 = 0x13, at_ae = 0x59, at_c7 = 0xb0;
	struct rt_x86_insn *insn = p->insn;
	u32 which;
	u8 stores;

	rt_x86_parse_modrm(p);
	if (!p->memory)
		return;
	which = p->modrm >> 3 & 7;
	if (p->opcode == 0xc7 && which == 1) {
		rt_x86_set(p, RT_X86_PAIR, p->rex & 8 ? 16 : 8);
		insn->wrote = RT_X86_BX;
		if (insn->base == RT_X86_AX || insn->base == RT_X86_DX ||
		    insn->index == RT_X86_AX || insn->index == RT_X86_DX)
			insn->flags |= RT_X86_LOST;
		return;
	}
	stores = p->opcode == 0x00 ? at_00 :
		 p->opcode == 0x01 ? at_01 :
		 p->opcode == 0xae ? at_ae :
				     at_c7;
	/* Cache-line and TLB operations are not accesses. */
	if ((p->opcode == 0x01 && which == 7) || (p->opcode == 0xae && (which == 7 || p->narrow)))
		return;
	rt_x86_set(p, stores >> which & 1 ? RT_X86_WRITE : RT_X86_READ, 0);
}
RT_PORT_NOPROBE(parse_system);

static void parse_bit(struct rt_x86_parse *p)
{
	bool only_reads = p->opcode == 0xa3;

	rt_x86_parse_modrm(p);
	if (!p->memory)
		return;
	p->insn->source = rt_x86_reg(p);
	if (p->opcode == 0xba) {
		only_reads = (p->modrm >> 3 & 7) == 4;
		rt_x86_set_immediate(p, 1);
	}
	rt_x86_set(p, only_reads ? RT_X86_READ : RT_X86_BIT, rt_x86_operand_size(p));
}
RT_PORT_NOPROBE(parse_bit);

static bool parse_0f_general(struct rt_x86_parse *p)
{
	struct rt_x86_insn *insn = p->insn;
	u8 op = p->opcode;
	u32 whole = rt_x86_operand_size(p);

	switch (op) {
	case 0x05:
	case 0x07:
	case 0x0b:
	case 0x34 ... 0x35:
		insn->flags |= RT_X86_LEAVES;
		return true;
	case 0x00 ... 0x01:
	case 0xae:
	case 0xc7:
		parse_system(p);
		return true;
	case 0xa0:
	case 0xa8:
		insn->flags |= RT_X86_PUSHES;
		return true;
	case 0xa1:
	case 0xa9:
		insn->flags |= RT_X86_POPS;
		return true;
	case 0xa3:
	case 0xab:
	case 0xb3:
	case 0xba ... 0xbb:
		parse_bit(p);
		return true;
	}
	if (op < 0x10 || (op >= 0x18 && op < 0x28) || (op >= 0x30 && op < 0x40) || op == 0x77 ||
	    (op >= 0x80 && op < 0x90) || op == 0xa2 || (op >= 0xc8 && op < 0xd0))
		return true;
	rt_x86_parse_modrm(p);
	if (!p->memory)
		return true;
	if (op >= 0x90 && op < 0xa0) {
		rt_x86_set(p, RT_X86_WRITE, 1);
		return true;
	}
	if (op >= 0x40 && op < 0x50) {
		rt_x86_set_load(p, whole, 0);
		return true;
	}
	switch (op) {
	case 0xa4 ... 0xa5:
	case 0xac ... 0xad:
		rt_x86_set(p, RT_X86_WRITE, whole);
		return true;
	case 0xc3:
		rt_x86_set(p, RT_X86_WRITE, whole);
		insn->wrote = rt_x86_reg(p);
		return true;
	case 0xb0 ... 0xb1:
		rt_x86_set_register(p, op & 1 ? whole : 1, RT_X86_AX);
		insn->wrote = rt_x86_general(p, insn->size);
		return true;
	case 0xc0 ... 0xc1:
		rt_x86_set_register(p, op & 1 ? whole : 1, rt_x86_general(p, op & 1 ? whole : 1));
		return true;
	case 0xb6:
	case 0xbe:
		rt_x86_set_load(p, 1, RT_X86_MOVES);
		return true;
	case 0xb7:
	case 0xbf:
		rt_x86_set_load(p, 2, RT_X86_MOVES);
		return true;
	case 0xaf:
	case 0xb8:
	case 0xbc ... 0xbd:
		rt_x86_set_load(p, whole, 0);
		return true;
	case 0xb2:
	case 0xb4 ... 0xb5:
		rt_x86_set_load(p, 0, 0);
		return true;
	}
	return false;
}
RT_PORT_NOPROBE(parse_0f_general);

/* Vector instructions: nearly all load; those listed here store. */
static void parse_vector(struct rt_x86_parse *p)
{
	struct rt_x86_insn *insn = p->insn;
	u32 size = vector_size(p), word = p->rex & 8 ? 8 : 4;
	u8 op = p->opcode;

	rt_x86_set(p, RT_X86_READ, size);
	/* The address comes from a vector register, or the offset has another unit. */
	if (p->map == 2 && p->vex && ((op >= 0x90 && op <= 0x93) || (op >= 0xa0 && op <= 0xa3)))
		insn->base = RT_X86_NO_ADDRESS;
	switch (p->map << 8 | op) {
	case 0x111:
	case 0x129:
	case 0x12b:
	case 0x17f:
	case 0x1e7:
		rt_x86_set(p, RT_X86_WRITE, size);
		return;
	case 0x110:
	case 0x128:
	case 0x16f:
		return;
	case 0x113:
	case 0x117:
	case 0x1d6:
		rt_x86_set(p, RT_X86_WRITE, 8);
		break;
	case 0x112:
	case 0x116:
		insn->size = 8;
		break;
	case 0x17e:
		rt_x86_set(p, p->prefix == 0xf3 ? RT_X86_READ : RT_X86_WRITE,
			   p->prefix == 0xf3 ? 8 : word);
		break;
	case 0x16e:
		insn->size = word;
		break;
	case 0x12a:
	case 0x12c ... 0x12f:
	case 0x1c4:
	case 0x151:
	case 0x158 ... 0x15a:
	case 0x15c ... 0x15f:
		insn->size =
			p->vex || p->prefix || op == 0xc4 || op == 0x2e || op == 0x2f ? 0 : size;
		break;
	case 0x191:
		rt_x86_set(p, RT_X86_WRITE, 0);
		break;
	case 0x2f1:
		if (p->prefix != 0xf2)
			rt_x86_set(p, RT_X86_WRITE, rt_x86_operand_size(p));
		else
			rt_x86_set_load(p, rt_x86_operand_size(p), 0);
		break;
	case 0x22e ... 0x22f:
	case 0x28e:
	case 0x2a0 ... 0x2a3:
		if (p->vex)
			rt_x86_set(p, RT_X86_WRITE, size);
		break;
	case 0x2f5 ... 0x2f6:
	case 0x2f8 ... 0x2f9:
		rt_x86_set(p, p->vex ? RT_X86_READ : RT_X86_UNKNOWN, 0);
		break;
	case 0x314 ... 0x317:
	case 0x319:
	case 0x31b:
	case 0x31d:
	case 0x339:
	case 0x33b:
		rt_x86_set(p, RT_X86_WRITE, 0);
		break;
	default:
		/* Instructions on general registers. */
		if (p->map == 2 && op >= 0xf0)
			rt_x86_set_load(p, rt_x86_operand_size(p), 0);
	}
	/* Only EVEX has narrowing and compressing stores, and its offsets have other units. */
	if (p->evex) {
		if (p->map == 2)
			insn->op = RT_X86_UNKNOWN;
		insn->base = RT_X86_NO_ADDRESS;
	}
}
RT_PORT_NOPROBE(parse_vector);

void rt_x86_parse_more(struct rt_x86_parse *p)
{
	if (!p->vex && p->map == 1) {
		if (!parse_0f_general(p))
			parse_vector(p);
		return;
	}
	rt_x86_parse_modrm(p);
	if (p->memory)
		parse_vector(p);
}
RT_PORT_NOPROBE(rt_x86_parse_more);
