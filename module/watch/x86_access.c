// SPDX-License-Identifier: GPL-2.0
/* x86_access.c - the address of an instruction's operand, and its value before; see x86_insn.h. */
#include "x86_insn.h"

/* Words of struct pt_regs. */
#define FLAGS_WORD 18
#define CARRY	   1
#define ZERO	   64

u64 rt_x86_register(const u64 *regs, u32 number)
{
	static const u8 words[16] = { 10, 11, 12, 5, 19, 4, 13, 14, 9, 8, 7, 6, 3, 2, 1, 0 };

	return regs[words[number & 15]];
}
RT_PORT_NOPROBE(rt_x86_register);

static u64 mask_of(u32 size)
{
	return size >= 8 ? ~0ULL : (1ULL << 8 * size) - 1;
}
RT_PORT_NOPROBE(mask_of);

static u64 value_of(const struct rt_x86_insn *insn, u8 where, const u64 *regs)
{
	if (where == RT_X86_IMMEDIATE)
		return (s64)insn->imm;
	if (where >= RT_X86_HIGH)
		return rt_x86_register(regs, where - RT_X86_HIGH) >> 8;
	return rt_x86_register(regs, where);
}
RT_PORT_NOPROBE(value_of);

static u64 source_of(const struct rt_x86_insn *insn, const u64 *regs)
{
	return value_of(insn, insn->source, regs);
}
RT_PORT_NOPROBE(source_of);

/* The part PART of a number in two registers. */
static u64 pair_of(const struct rt_x86_insn *insn, const u64 *regs, u32 low, u32 high, u32 part)
{
	u64 first = rt_x86_register(regs, low), second = rt_x86_register(regs, high);

	return insn->size == 8 ? (u32)first | second << 32 : part ? second : first;
}
RT_PORT_NOPROBE(pair_of);

/* A bit number from a register counts from the operand on, and may select a bit far beyond it. */
static s64 bit_distance(const struct rt_x86_insn *insn, const u64 *regs)
{
	u64 bit = rt_x86_register(regs, insn->source);
	s64 number = insn->size == 8 ? (s64)bit : insn->size == 4 ? (s32)bit : (s16)bit;

	return (number >> 3) & -(s64)insn->size;
}
RT_PORT_NOPROBE(bit_distance);

bool rt_x86_address(const struct rt_x86_insn *insn, const u64 *regs, u64 next, u64 segment,
		    u64 *address)
{
	u64 at = segment + (s64)insn->disp;

	if (insn->base == RT_X86_NO_ADDRESS || (insn->flags & RT_X86_LOST))
		return false;
	if (insn->base < 16)
		at += rt_x86_register(regs, insn->base);
	else if (insn->base == RT_X86_IP)
		at += next;
	/* The CPU computed the address before it moved the stack pointer. */
	if (insn->base == RT_X86_SP && (insn->flags & RT_X86_PUSHES))
		at += sizeof(u64);
	if (insn->index < 16)
		at += rt_x86_register(regs, insn->index) << insn->scale;
	if (insn->op == RT_X86_BIT && insn->source < 16)
		at += bit_distance(insn, regs);
	*address = insn->flags & RT_X86_SHORT ? (u32)at : at;
	return true;
}
RT_PORT_NOPROBE(rt_x86_address);

bool rt_x86_before(const struct rt_x86_insn *insn, const u64 *regs, u64 now, u32 part, u64 *before)
{
	u64 bit;

	switch (insn->op) {
	case RT_X86_ADD:
		*before = now - source_of(insn, regs);
		break;
	case RT_X86_SUB:
		*before = now + source_of(insn, regs);
		break;
	case RT_X86_XOR:
		*before = now ^ source_of(insn, regs);
		break;
	case RT_X86_NEG:
		*before = -now;
		break;
	case RT_X86_NOT:
		*before = ~now;
		break;
	case RT_X86_BIT:
		bit = 1ULL << (source_of(insn, regs) & (8 * insn->size - 1));
		*before = (now & ~bit) | (regs[FLAGS_WORD] & CARRY ? bit : 0);
		break;
	case RT_X86_REGISTER:
		*before = source_of(insn, regs);
		break;
	case RT_X86_PAIR:
		*before = pair_of(insn, regs, RT_X86_AX, RT_X86_DX, part);
		break;
	default:
		return false;
	}
	*before &= mask_of(insn->size);
	return true;
}
RT_PORT_NOPROBE(rt_x86_before);

bool rt_x86_after(const struct rt_x86_insn *insn, const u64 *regs, u32 part, u64 *after)
{
	bool equal = regs[FLAGS_WORD] & ZERO;

	switch (insn->op) {
	case RT_X86_READ:
		if (!(insn->flags & RT_X86_MOVES))
			return false;
		*after = source_of(insn, regs);
		break;
	case RT_X86_WRITE:
		if (insn->wrote == RT_X86_NO_SOURCE)
			return false;
		*after = value_of(insn, insn->wrote, regs);
		break;
	case RT_X86_REGISTER:
		/* xchg and xadd have overwritten the register; cmpxchg has not. */
		if (insn->wrote == RT_X86_NO_SOURCE)
			return false;
		/* If they differ, it writes what it has read. */
		*after = value_of(insn, equal ? insn->wrote : insn->source, regs);
		break;
	case RT_X86_PAIR:
		*after = equal ? pair_of(insn, regs, RT_X86_BX, RT_X86_CX, part) :
				 pair_of(insn, regs, RT_X86_AX, RT_X86_DX, part);
		break;
	default:
		return false;
	}
	*after &= mask_of(insn->size);
	return true;
}
RT_PORT_NOPROBE(rt_x86_after);
