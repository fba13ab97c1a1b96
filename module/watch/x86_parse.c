// SPDX-License-Identifier: GPL-2.0
/*
 * x86_parse.c - prefixes, and the address of the operand; see x86_insn.h.  The caller provides the
 * length of the instruction.
 */
#include "x86_parse.h"

#define ADDRESS_PREFIX 0x67
#define OPERAND_PREFIX 0x66

static u8 next(struct rt_x86_parse *p)
{
	return p->at < RT_X86_LENGTH_LIMIT ? p->code[p->at++] : 0;
}
RT_PORT_NOPROBE(next);

static void parse_prefixes(struct rt_x86_parse *p)
{
	u8 byte;

	for (;;) {
		byte = next(p);
		switch (byte) {
		case OPERAND_PREFIX:
			p->narrow = true;
			continue;
		case ADDRESS_PREFIX:
			p->insn->flags |= RT_X86_SHORT;
			continue;
		case 0xf2 ... 0xf3:
			p->prefix = byte;
			continue;
		case 0x64 ... 0x65:
			p->insn->segment = byte;
			continue;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0xf0:
			continue;
		}
		break;
	}
	if (p->is_64bit && (byte & 0xf0) == 0x40) {
		p->rex = byte;
		byte = next(p);
	}
	p->opcode = byte;
}
RT_PORT_NOPROBE(parse_prefixes);

static void set_prefix(struct rt_x86_parse *p, u32 pp)
{
	p->narrow = pp == 1;
	p->prefix = pp == 2 ? 0xf3 : pp == 3 ? 0xf2 : 0;
}
RT_PORT_NOPROBE(set_prefix);

static void parse_vex(struct rt_x86_parse *p)
{
	u8 byte = next(p);

	p->vex = true;
	p->rex = (~byte >> 5 & 4) | 0x40;
	p->map = 1;
	if (p->opcode == 0xc4) {
		p->rex = (~byte >> 5 & 7) | 0x40;
		p->map = byte & 0x1f;
		byte = next(p);
		p->rex |= byte >> 4 & 8;
	}
	p->vector = byte & 4 ? 32 : 16;
	set_prefix(p, byte & 3);
	p->opcode = next(p);
}
RT_PORT_NOPROBE(parse_vex);

static void parse_evex(struct rt_x86_parse *p)
{
	u8 byte = next(p);

	p->vex = p->evex = true;
	p->rex = (~byte >> 5 & 7) | 0x40;
	p->map = byte & 7;
	byte = next(p);
	p->rex |= byte >> 4 & 8;
	set_prefix(p, byte & 3);
	byte = next(p);
	p->vector = 16U << (byte >> 5 & 3);
	p->opcode = next(p);
}
RT_PORT_NOPROBE(parse_evex);

static void parse_opcode(struct rt_x86_parse *p)
{
	bool escapes = p->is_64bit || (p->code[p->at] & 0xc0) == 0xc0;

	p->vector = 16;
	if ((p->opcode == 0xc4 || p->opcode == 0xc5) && escapes) {
		parse_vex(p);
	} else if (p->opcode == 0x62 && escapes) {
		parse_evex(p);
	} else if (p->opcode == 0x0f) {
		p->map = 1;
		p->opcode = next(p);
		if (p->opcode == 0x38 || p->opcode == 0x3a) {
			p->map = p->opcode == 0x38 ? 2 : 3;
			p->opcode = next(p);
		}
	}
}
RT_PORT_NOPROBE(parse_opcode);

static void parse_sib(struct rt_x86_parse *p, u32 mod)
{
	u8 sib = next(p);

	p->insn->scale = sib >> 6;
	p->insn->index = (sib >> 3 & 7) | (p->rex & 2 ? 8 : 0);
	if (p->insn->index == RT_X86_SP)
		p->insn->index = RT_X86_NO_BASE;
	p->insn->base = (sib & 7) | (p->rex & 1 ? 8 : 0);
	if (!mod && (sib & 7) == 5)
		p->insn->base = RT_X86_NO_BASE;
}
RT_PORT_NOPROBE(parse_sib);

void rt_x86_parse_modrm(struct rt_x86_parse *p)
{
	struct rt_x86_insn *insn = p->insn;
	u32 mod, rm;

	p->modrm = next(p);
	mod = p->modrm >> 6;
	rm = p->modrm & 7;
	p->memory = mod != 3;
	if (!p->memory)
		return;
	if (!p->is_64bit && (insn->flags & RT_X86_SHORT)) {
		/* 16-bit addresses */
		insn->base = RT_X86_NO_ADDRESS;
		return;
	}
	insn->base = rm | (p->rex & 1 ? 8 : 0);
	if (rm == 4)
		parse_sib(p, mod);
	else if (!mod && rm == 5)
		insn->base = p->is_64bit ? RT_X86_IP : RT_X86_NO_BASE;
	if (mod == 2 || (!mod && (rm == 5 || (rm == 4 && insn->base == RT_X86_NO_BASE)))) {
		if (p->at + 4 > RT_X86_LENGTH_LIMIT) {
			insn->base = RT_X86_NO_ADDRESS;
			return;
		}
		insn->disp = rt_x86_take_s32(p->code + p->at);
		p->at += 4;
	} else if (mod == 1) {
		insn->disp = (s8)next(p);
		/* The unit depends on the opcode; it is known only for whole vectors. */
		if (p->evex)
			insn->disp *= (s32)p->vector;
	}
}
RT_PORT_NOPROBE(rt_x86_parse_modrm);

void rt_x86_insn_parse(struct rt_x86_insn *insn, const u8 *code, u32 length, bool is_64bit)
{
	struct rt_x86_parse p = {
		.insn = insn, .code = code, .length = length, .is_64bit = is_64bit
	};

	memset(insn, 0, sizeof(*insn));
	insn->length = length;
	insn->source = RT_X86_NO_SOURCE;
	insn->wrote = RT_X86_NO_SOURCE;
	insn->base = insn->index = RT_X86_NO_BASE;
	parse_prefixes(&p);
	parse_opcode(&p);
	if (!p.map)
		rt_x86_parse_one(&p);
	else if (p.map <= 3)
		rt_x86_parse_more(&p);
	else
		rt_x86_set_nowhere(&p, RT_X86_UNKNOWN);
}
RT_PORT_NOPROBE(rt_x86_insn_parse);
