// SPDX-License-Identifier: GPL-2.0
/*
 * x86_length.c - see x86_length.h
 *
 * An instruction consists of prefixes, an opcode from one of several maps, for most opcodes a byte
 * (ModRM) that names the operands, followed by what addresses need, and for some an immediate
 * value.  This code looks only at what determines the length.
 */
#include "arch/x86_length.h"

#include <string.h>

enum map { ONE_BYTE, TWO_BYTE, MAP_38, MAP_3A, MAP_OTHER };

/* What follows an opcode. */
enum {
	MODRM = 1,
	IMM8 = 2,
	IMM16 = 4,
	IMM_OPERAND = 8,   /* 2 or 4 bytes, by the operand size */
	IMM_WHOLE = 16,	   /* and 8 with REX.W */
	IMM_BRANCH = 32,   /* 4 bytes in 64-bit code, whatever the prefixes */
	IMM_ADDRESS = 64,  /* as long as an address */
	IMM_FAR = 128,	   /* followed by a segment */
	IMM_IF_TEST = 256, /* only if ModRM says that it is TEST */
};

struct decoder {
	const uint8_t *at, *end;
	bool is_64bit;
	bool operand16, address_short; /* prefixes 66 and 67 */
	bool wide;		       /* REX.W */
	bool vector;		       /* VEX or EVEX: opcodes without ModRM differ */
	enum map map;
};

static bool peek(const struct decoder *d, size_t ahead, uint8_t *byte)
{
	if ((size_t)(d->end - d->at) <= ahead)
		return false;
	*byte = d->at[ahead];
	return true;
}

static bool take(struct decoder *d, uint8_t *byte)
{
	return peek(d, 0, byte) && d->at++;
}

static bool skip(struct decoder *d, size_t n)
{
	if ((size_t)(d->end - d->at) < n)
		return false;
	d->at += n;
	return true;
}

static void take_prefixes(struct decoder *d)
{
	uint8_t b;

	while (peek(d, 0, &b) && b &&
	       memchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf0\xf2\xf3", b, 11)) {
		d->operand16 |= b == 0x66;
		d->address_short |= b == 0x67;
		d->at++;
	}
	if (d->is_64bit && peek(d, 0, &b) && (b & 0xf0) == 0x40) {
		d->wide = b & 8;
		d->at++;
	}
}

static enum map map_of(unsigned int number)
{
	return number == 1 ? TWO_BYTE : number == 2 ? MAP_38 : number == 3 ? MAP_3A : MAP_OTHER;
}

/*
 * VEX and EVEX.  In 32-bit code their first bytes, before a memory operand, are other instructions.
 */
static bool take_vector_prefix(struct decoder *d)
{
	uint8_t first, second, third = 0;

	if (!peek(d, 0, &first) || (first != 0xc4 && first != 0xc5 && first != 0x62))
		return true;
	if (!peek(d, 1, &second))
		return false;
	if (!d->is_64bit && second < 0xc0)
		return true;
	d->vector = true;
	if (first == 0xc5) {
		d->map = TWO_BYTE;
		return skip(d, 2);
	}
	if (!peek(d, 2, &third))
		return false;
	d->wide = third & 0x80;
	d->map = map_of(second & (first == 0x62 ? 7 : 31));
	return skip(d, first == 0x62 ? 4 : 3);
}

static bool take_opcode(struct decoder *d, uint8_t *opcode)
{
	if (!take(d, opcode))
		return false;
	if (d->vector || *opcode != 0x0f)
		return true;
	d->map = TWO_BYTE;
	if (!take(d, opcode))
		return false;
	if (*opcode != 0x38 && *opcode != 0x3a)
		return true;
	d->map = *opcode == 0x38 ? MAP_38 : MAP_3A;
	return take(d, opcode);
}

static unsigned int follows_one_byte(uint8_t op, bool is_64bit)
{
	if (op < 0x40) /* ADD, OR, ADC, SBB, AND, SUB, XOR, CMP */
		return (op & 7) < 4  ? MODRM :
		       (op & 7) == 4 ? IMM8 :
		       (op & 7) == 5 ? IMM_OPERAND :
				       0;
	switch (op) {
	case 0x62: /* BOUND */
	case 0x63:
	case 0x84 ... 0x8f:
	case 0xc4 ... 0xc5: /* LES, LDS */
	case 0xd0 ... 0xd3:
	case 0xd8 ... 0xdf:
	case 0xfe ... 0xff:
		return MODRM;
	case 0x69:
	case 0x81:
	case 0xc7:
		return MODRM | IMM_OPERAND;
	case 0x6b:
	case 0x80:
	case 0x82 ... 0x83:
	case 0xc0 ... 0xc1:
	case 0xc6:
		return MODRM | IMM8;
	case 0xf6:
		return MODRM | IMM8 | IMM_IF_TEST;
	case 0xf7:
		return MODRM | IMM_OPERAND | IMM_IF_TEST;
	case 0x6a:
	case 0x70 ... 0x7f:
	case 0xa8:
	case 0xb0 ... 0xb7:
	case 0xcd:
	case 0xd4 ... 0xd5:
	case 0xe0 ... 0xe7:
	case 0xeb:
		return IMM8;
	case 0x68:
	case 0xa9:
		return IMM_OPERAND;
	case 0xa0 ... 0xa3:
		return IMM_ADDRESS;
	case 0xb8 ... 0xbf:
		return IMM_WHOLE;
	case 0xc2:
	case 0xca:
		return IMM16;
	case 0xc8: /* ENTER */
		return IMM16 | IMM8;
	case 0xe8 ... 0xe9:
		return IMM_BRANCH;
	case 0x9a:
	case 0xea:
		return is_64bit ? 0 : IMM_FAR;
	default:
		return 0;
	}
}

static unsigned int follows_two_byte(uint8_t op, bool vector)
{
	switch (op) {
	case 0x70 ... 0x73:
	case 0xc2:
	case 0xc4 ... 0xc6:
		return MODRM | IMM8;
	case 0x77:
		return 0;
	default:
		break;
	}
	if (vector)
		return MODRM;
	switch (op) {
	case 0x0f: /* 3DNow!: the opcode follows the operands */
	case 0xa4:
	case 0xac:
	case 0xba:
		return MODRM | IMM8;
	case 0x80 ... 0x8f:
		return IMM_BRANCH;
	case 0x04 ... 0x0c:
	case 0x0e:
	case 0x30 ... 0x37:
	case 0xa0 ... 0xa2:
	case 0xa8 ... 0xaa:
	case 0xc8 ... 0xcf:
		return 0;
	default:
		return MODRM;
	}
}

static unsigned int follows(const struct decoder *d, uint8_t op)
{
	switch (d->map) {
	case ONE_BYTE:
		return follows_one_byte(op, d->is_64bit);
	case TWO_BYTE:
		return follows_two_byte(op, d->vector);
	case MAP_3A:
		return MODRM | IMM8;
	default:
		return MODRM;
	}
}

/* Take ModRM and the bytes that it adds; *reg is its middle field. */
static bool take_modrm(struct decoder *d, unsigned int *reg)
{
	uint8_t modrm, sib;
	unsigned int mod, rm;

	if (!take(d, &modrm))
		return false;
	mod = modrm >> 6;
	rm = modrm & 7;
	*reg = modrm >> 3 & 7;
	if (mod == 3)
		return true;
	if (!d->is_64bit && d->address_short) /* 16-bit addresses */
		return skip(d, mod == 1 ? 1 : mod == 2 || rm == 6 ? 2 : 0);
	if (rm == 4) {
		if (!take(d, &sib))
			return false;
		if (!mod && (sib & 7) == 5)
			return skip(d, 4);
	}
	if (!mod)
		return rm != 5 || skip(d, 4);
	return skip(d, mod == 1 ? 1 : 4);
}

static size_t immediate_size(const struct decoder *d, unsigned int what)
{
	size_t operand = d->operand16 && !d->wide ? 2 : 4, size = 0;

	if (what & IMM8)
		size += 1;
	if (what & IMM16)
		size += 2;
	if (what & IMM_OPERAND)
		size += operand;
	if (what & IMM_WHOLE)
		size += d->wide ? 8 : operand;
	if (what & IMM_BRANCH)
		size += d->is_64bit ? 4 : operand;
	if (what & IMM_FAR)
		size += operand + 2;
	if (what & IMM_ADDRESS)
		size += d->is_64bit ? (d->address_short ? 4 : 8) : (d->address_short ? 2 : 4);
	return size;
}

unsigned int rt_x86_length(const uint8_t *code, size_t len, bool is_64bit)
{
	struct decoder d = { .at = code, .end = code + len, .is_64bit = is_64bit };
	unsigned int what, reg = 0;
	uint8_t opcode;

	take_prefixes(&d);
	if (!take_vector_prefix(&d) || !take_opcode(&d, &opcode))
		return 0;
	what = follows(&d, opcode);
	if (what & MODRM && !take_modrm(&d, &reg))
		return 0;
	if (what & IMM_IF_TEST && reg > 1)
		what = MODRM;
	if (!skip(&d, immediate_size(&d, what)) || d.at - code > RT_X86_LENGTH_MAX)
		return 0;
	return (unsigned int)(d.at - code);
}
