/* SPDX-License-Identifier: GPL-2.0 */
/*
 * value.h - the operations that fetch and filter programs share.  Each of them changes V, the value
 * that a program works on.
 */
#ifndef RT_VALUE_H
#define RT_VALUE_H

#include "program.h"

struct rt_value {
	u64 v;
	bool bad; /* it could not be read; v is 0 */
};

/* The number of SIZE bytes at P, which need not be aligned. */
static inline u64 rt_value_at(const void *p, u8 size)
{
	union {
		u8 b;
		u16 h;
		u32 w;
		u64 d;
	} n;

	switch (size & RT_SIZE_MASK) {
	case 1:
		memcpy(&n.b, p, 1);
		return size & RT_SIGNED ? (u64)(s8)n.b : n.b;
	case 2:
		memcpy(&n.h, p, 2);
		return size & RT_SIGNED ? (u64)(s16)n.h : n.h;
	case 4:
		memcpy(&n.w, p, 4);
		return size & RT_SIGNED ? (u64)(s32)n.w : n.w;
	default:
		memcpy(&n.d, p, 8);
		return n.d;
	}
}

static inline u64 rt_value_context(const struct rt_program_context *context, u16 which)
{
	switch (which) {
	case RT_CONTEXT_PID:
		return rt_port_pid();
	case RT_CONTEXT_TID:
		return rt_port_tid();
	case RT_CONTEXT_CPU:
		return rt_port_cpu();
	case RT_CONTEXT_PRIO:
		return (s64)rt_port_prio();
	case RT_CONTEXT_LEVEL:
		return context->level;
	case RT_CONTEXT_IP:
		return context->ip;
	case RT_CONTEXT_CALLER:
		return context->caller;
	case RT_CONTEXT_OLD:
		return context->old_value;
	case RT_CONTEXT_NEW:
		return context->new_value;
	case RT_CONTEXT_ADDR:
		return context->addr;
	case RT_CONTEXT_RW:
		return context->rw;
	default:
		return context->watch;
	}
}

static inline u64 rt_value_bits(u64 v, u32 from, u32 width, bool is_signed)
{
	/* Shift the bits to the top and down again; the second shift may extend the sign. */
	v <<= 64 - width - from;
	return is_signed ? (u64)((s64)v >> (64 - width)) : v >> (64 - width);
}

static inline void rt_value_read(const struct rt_insn *insn, struct rt_value *value)
{
	u64 buffer, from = value->v + (s64)insn->offset;
	u32 size = insn->size & RT_SIZE_MASK;
	int err;

	if (value->bad)
		return;
	if (insn->op == RT_OP_READ)
		err = rt_port_read(&buffer, from, size);
	else
		err = rt_port_read_user(&buffer, from, size);
	value->bad = err != 0;
	value->v = err ? 0 : rt_value_at(&buffer, insn->size);
}

/* Run INSN, an operation from RT_OP_IMMEDIATE to RT_OP_BITS, or RT_OP_SAVED. */
static inline void rt_value_step(const struct rt_insn *insn,
				 const struct rt_program_context *context, struct rt_value *value)
{
	switch (insn->op) {
	case RT_OP_REGISTER:
		value->v = ((const u64 *)context->regs)[insn->arg];
		value->bad = false;
		break;
	case RT_OP_READ:
	case RT_OP_READ_USER:
		rt_value_read(insn, value);
		break;
	case RT_OP_CONTEXT:
		value->v = rt_value_context(context, insn->arg);
		value->bad = false;
		break;
	case RT_OP_IMMEDIATE:
		value->v = insn->imm;
		value->bad = false;
		break;
	case RT_OP_SAVED:
		value->v = context->saved[insn->arg];
		value->bad = false;
		break;
	case RT_OP_ADD:
		if (!value->bad)
			value->v += insn->imm;
		break;
	case RT_OP_BITS:
		value->v = rt_value_bits(value->v, insn->offset, insn->arg, insn->size);
		break;
	}
}

#endif
